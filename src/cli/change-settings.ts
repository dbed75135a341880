import { checkEdition } from "../acl/namespaces/edition.ts";
import { readConfig } from "../config.ts";
import type { Config } from "../config.ts";
import { connectedServers } from "../storage/postgres/connected-servers.ts";
import { changeSettings } from "../storage/settings.ts";
import { StartError } from "../storage/start-error.ts";
import { openForCommand } from "./open-for-command.ts";
import { settingsOf } from "./settings.ts";

/**
 * `tessera change-settings`: makes the database one of servers with these
 * options, which every start compares. Takes the options with which the servers
 * will be started. None may run meanwhile; an embedded database refuses itself.
 *
 * @throws ConfigError or StartError, one line each
 */
export async function changeSettingsCommand(args: readonly string[]): Promise<void> {
  const config = readConfig(args);
  await refuseRunning(config);
  const db = await openForCommand(config);
  try {
    await checkEdition(db, config.edition);
    const changed = await changeSettings(db, settingsOf(config));
    const lines = changed.map(({ name, stored, given }) => `--${name} was ${stored} and is ${given}`);
    process.stdout.write(`${lines.length === 0 ? "Nothing to change" : lines.join("\n")}\n`);
  } finally {
    await db.close();
  }
}

/** An embedded database cannot be opened while a server has it. */
async function refuseRunning({ database }: Config): Promise<void> {
  const servers = database.engine === "postgres" ? await connectedServers(database.url).catch(() => []) : [];
  if (servers.length === 0) return;
  throw new StartError(`a server is connected: ${servers.sort().join(", ")}; stop it, then run this again`);
}

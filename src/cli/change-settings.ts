import { checkEdition } from "../acl/namespaces/edition.ts";
import { type Config, readConfig } from "../config.ts";
import { openDatabase } from "../storage/open.ts";
import { connectedServers } from "../storage/postgres/connected-servers.ts";
import { changeSettings, type Settings } from "../storage/settings.ts";
import { StartError } from "../storage/start-error.ts";

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
  const warn = (message: string) => void process.stderr.write(`tessera: ${message}\n`);
  const db = await openDatabase({
    url: config.database.url,
    dataDir: config.dataDir,
    keyFile: config.keyFile,
    onFatal: (error) => warn(error.message),
    onWarning: warn,
  });
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

/** What a database keeps of a configuration. */
export function settingsOf({ edition, datacenter, defaultPolicy }: Config): Settings {
  return { edition, datacenter, "default-policy": defaultPolicy };
}

import { checkEdition } from "../../acl/namespaces/edition.ts";
import { type Config, readConfig } from "../../config.ts";
import { connectedServers } from "../../storage/postgres/finish-upgrade.ts";
import { changeSettings } from "../../storage/settings.ts";
import { StartError } from "../../storage/start-error.ts";
import { settingsOf } from "../settings.ts";
import { tell, withDatabase } from "../with-database.ts";

/**
 * `tessera change-settings`: makes the database one of servers with these options, which every start compares. None may run
 * meanwhile.
 *
 * @param args as `serve` takes them: those with which the servers will be started @throws ConfigError, StartError
 */
export async function changeSettingsCommand(args: readonly string[]): Promise<void> {
  const config = readConfig(args);
  await refuseRunning(config);
  const changed = await withDatabase(config, async (db) => {
    await checkEdition(db, config.edition);
    return changeSettings(db, settingsOf(config));
  });
  const lines = changed.map(({ name, stored, given }) => `Changed --${name} from ${stored} to ${given}`);
  tell(lines.length === 0 ? "No changes" : lines.join("\n"));
}

/** An embedded database cannot be opened while a server has it. */
async function refuseRunning({ database }: Config): Promise<void> {
  const servers = database.engine === "postgres" ? await connectedServers(database.url).catch(() => []) : [];
  if (servers.length === 0) return;
  throw new StartError(`servers are connected: ${servers.sort().join(", ")}; stop them and run this command again`);
}

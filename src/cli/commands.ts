/** The operators' commands beside `serve`. Each takes its options, and throws ConfigError or StartError, one line each. */
import { checkEdition } from "../acl/namespaces/edition.ts";
import { resetBootstrap } from "../acl/tokens/bootstrap.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open.ts";
import { connectedServers, finishUpgrade } from "../storage/postgres/finish-upgrade.ts";
import { changeSettings } from "../storage/settings.ts";
import { StartError } from "../storage/start-error.ts";
import { settingsOf } from "./settings.ts";

/**
 * `tessera reset-bootstrap`: lets the server be bootstrapped once more. Whoever may run it has the database and its key,
 * so nothing else is asked.
 */
export async function resetBootstrapCommand(args: readonly string[]): Promise<void> {
  await withDatabase(readConfig(args), resetBootstrap);
  tell(
    "The server can be bootstrapped once more: at its next start, or with --bootstrap manual by PUT /v1/acl/bootstrap",
  );
}

/** `tessera finish-upgrade`: the last step of a rolling upgrade, when no server of the older version runs any more. */
export async function finishUpgradeCommand(args: readonly string[]): Promise<void> {
  const { url } = readConfig(args).database;
  if (url.startsWith("sqlite:")) {
    return tell("There is nothing to do: a server with an embedded database finishes an upgrade when it starts");
  }
  const applied = await finishUpgrade(url);
  tell(applied.length === 0 ? "There is nothing to do" : `The upgrade is finished: applied ${applied.join(", ")}`);
}

/**
 * `tessera change-settings`: makes the database one of servers with these options, which every start compares. Takes the
 * options with which the servers will be started. None may run meanwhile.
 */
export async function changeSettingsCommand(args: readonly string[]): Promise<void> {
  const config = readConfig(args);
  await refuseRunning(config);
  const changed = await withDatabase(config, async (db) => {
    await checkEdition(db, config.edition);
    return changeSettings(db, settingsOf(config));
  });
  const lines = changed.map(({ name, stored, given }) => `--${name} was ${stored} and is ${given}`);
  tell(lines.length === 0 ? "Nothing to change" : lines.join("\n"));
}

/** An embedded database cannot be opened while a server has it. */
async function refuseRunning({ database }: Config): Promise<void> {
  const servers = database.engine === "postgres" ? await connectedServers(database.url).catch(() => []) : [];
  if (servers.length === 0) return;
  throw new StartError(`a server is connected: ${servers.sort().join(", ")}; stop it, then run this again`);
}

/** What a server says of its database in its log is said on standard error. */
async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const { database, dataDir, keyFile, allowEmptyDatabase: allowEmpty } = config;
  const onWarning = (message: string) => void process.stderr.write(`tessera: ${message}\n`);
  const onFatal = (error: Error) => onWarning(error.message);
  const db = await openDatabase({ url: database.url, dataDir, keyFile, allowEmpty, onFatal, onWarning });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}

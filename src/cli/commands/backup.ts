import { constants, setPriority } from "node:os";
import { openSource, openTarget, STANDARD, type BackupTarget } from "../../backup/files.ts";
import type { Header, Trailer } from "../../backup/format.ts";
import { checkMasterKey } from "../../backup/master-key-check.ts";
import { verifyBackup } from "../../backup/read.ts";
import { writeBackup } from "../../backup/write.ts";
import { type Config, readConfig } from "../../config.ts";
import { openPostgresSnapshot } from "../../storage/postgres/snapshot.ts";
import { openSqliteSnapshot } from "../../storage/sqlite/snapshot.ts";
import { givenMasterKey } from "../given-master-key.ts";
import { tell } from "../with-database.ts";
import { keepYoungHeapSmall } from "../../private-node.ts";

/**
 * `tessera backup`: writes all of a database, as it is at one moment, into a file, whether or not a server uses it.
 *
 * @param path of the file, or `-` @param args as `serve` takes them @throws ConfigError, StartError; then there is no new file
 */
export async function backupCommand(path: string, args: readonly string[]): Promise<void> {
  const { database } = readConfig(args);
  keepYoungHeapSmall();
  // Requests to the server take precedence over the backup.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const target = await openTarget(path);
  try {
    const { header, trailer } = await writeAll(database, target);
    await target.finish();
    say(path, `Backed up ${sumOf(trailer)}, as of ${header.takenAt}`);
  } catch (error) {
    await target.abandon();
    throw error;
  }
}

async function writeAll({ engine, url }: Config["database"], { sink, copy }: BackupTarget) {
  const snapshot =
    engine === "sqlite" ? await openSqliteSnapshot(url.slice("sqlite:".length), copy) : await openPostgresSnapshot(url);
  try {
    return await writeBackup(snapshot, sink);
  } finally {
    await snapshot.close();
  }
}

/** Beside what goes to standard output. */
function say(path: string, text: string): void {
  if (path === STANDARD) process.stderr.write(`${text}\n`);
  else tell(text);
}

/**
 * `tessera backup verify`: reads all of a backup and compares it with itself, and with the master key where `--key-file` or
 * `--key-command` gives it.
 *
 * @throws ConfigError, BackupRefused
 */
export async function verifyCommand(path: string, args: readonly string[]): Promise<void> {
  const config = readConfig(args);
  const { keyFile, keyCommand, dataDir } = config;
  keepYoungHeapSmall();
  const source = openSource(path);
  const { header, trailer } = await verifyBackup(source.bytes(), source.name);
  if (keyFile !== undefined || keyCommand !== undefined) {
    const masterKey = await givenMasterKey(config);
    checkMasterKey(header, { masterKey, keyFile, dataDir, onWarning: warn });
  }
  tell(`${source.name} is valid: ${describe(header, trailer)}`);
}

/** A backup in words. */
function describe(header: Header, trailer: Trailer): string {
  const { engine, program, database, takenAt } = header;
  return `${sumOf(trailer)} of the database ${database} (${engine}, version ${program}), as of ${takenAt}`;
}

/** How much is in it, in words. */
export function sumOf({ tables }: Trailer): string {
  const all = Object.values(tables);
  const rows = all.reduce((sum, table) => sum + table.rows, 0);
  return `${rows.toLocaleString("en-US")} rows of ${all.length} tables`;
}

/** Says a warning on standard error. */
export function warn(message: string): void {
  process.stderr.write(`tessera: ${message}\n`);
}

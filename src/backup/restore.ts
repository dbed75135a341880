import type { Loading } from "../storage/operator/loading.ts";
import { TRUSTED, trustedLine } from "../storage/clock/kept.ts";
import { MOVED } from "../storage/operator/moved.ts";
import type { Header, Trailer } from "./format.ts";
import { gapSince, raiseIndexes } from "./indexes.ts";
import type { OpenedBackup } from "./read.ts";
import { recordArrival } from "./record.ts";
import { findReturned } from "./returned.ts";
import { deleteAgain, type DeletedAgain } from "./deleted-objects.ts";
import { disableAgain, knowsDisabled } from "./disabled-again.ts";
import { noRevocations, readRevocations, revokeAgain, type Revoked, stillChanged } from "./revocations.ts";
import { BACKED_UP, OF_TOKENS } from "./tables.ts";

export interface RestoreOptions {
  /** Whether tokens that logins have made come back. */
  withLogins: boolean;
  /** Files of audit records: what they say was ended beyond the backup is ended again. */
  auditFiles: readonly string[];
  now: Date;
}

export interface Restored {
  header: Header;
  trailer: Trailer;
  /** Tokens of logins that were left out. */
  logins: number;
  revoked: Record<Revoked, number>;
  /** Numbers of objects of other kinds that were deleted again, and the objects that are back, in words. */
  deleted: DeletedAgain;
  /** Objects that may have been deleted after the backup; undefined where files of audit records name them. */
  /** Number of tokens that were disabled again. */
  disabled: number;
  returned: Awaited<ReturnType<typeof findReturned>> | undefined;
  /**
   * Objects that grant or decide permissions, were changed after the backup, and are back in their old state, as far as
   * the files show.
   */
  changed: string[];
}

/**
 * Loads a backup into an empty database and makes that one a server may use. When it throws, nothing was restored.
 *
 * @throws BackupRefused when the backup is not what was written; ConfigError for an audit file that cannot be used
 */
export async function restoreBackup(
  backup: OpenedBackup,
  loading: Loading,
  { withLogins, auditFiles, now }: RestoreOptions,
): Promise<Restored> {
  const { header } = backup;
  try {
    // The backup also contains the rows that migrations have inserted here, as they were.
    for (const { name } of BACKED_UP.filter(isIn(header)).reverse()) await loading.run(`delete from ${name}`);
    const trailer = await loadAll(backup, loading);
    // A backup of what was moved, taken afterwards, is a database again.
    await loading.run(`delete from meta where name = '${MOVED}'`);
    await trustClock(loading, now);
    const logins = withLogins ? 0 : await removeLogins(loading);
    const { revoked, deleted, disabled, changed } = await revokeFrom(loading, header, auditFiles, now);
    const returned = auditFiles.length === 0 ? await findReturned(loading) : undefined;
    await raiseIndexes(loading, gapSince(header.takenAt, now));
    await recordArrival(loading, {
      action: "restore",
      database: header.database,
      detail: { takenAt: header.takenAt, withLogins, revoked, deleted: deleted.counts, disabled },
      now,
    });
    await loading.finish();
    await loading.tidy();
    return { header, trailer, logins, revoked, deleted, disabled, changed, returned };
  } catch (error) {
    await loading.abandon();
    throw error;
  }
}

function isIn({ tables }: Header): (table: { name: string }) => boolean {
  return ({ name }) => tables.some((table) => table.name === name);
}

async function loadAll(backup: OpenedBackup, loading: Loading): Promise<Trailer> {
  const reading = backup.rows();
  for (;;) {
    const { value, done } = await reading.next();
    if (done === true) return value;
    const { table, lines } = value;
    await loading.load(table.name, table.columns, lines);
  }
}

/** A backup is old by its nature: the clock of who restores it is right, as that of a start on an empty database is. */
async function trustClock(loading: Loading, now: Date): Promise<void> {
  const { columns, line } = trustedLine(now.getTime());
  await loading.run(`delete from meta where name = '${TRUSTED}'`);
  await loading.load("meta", columns, line);
}

/** Takes out what logins have made, and who is signed in to the console. @returns how many tokens */
async function removeLogins(loading: Loading): Promise<number> {
  await loading.run("delete from console_sessions");
  const [row] = (await loading.run(`select count(*) as count from tokens where auth_method <> ''`)) as [
    { count: number },
  ];
  if (row.count === 0) return 0;
  for (const table of OF_TOKENS) {
    await loading.run(
      `delete from ${table} where accessor_id in (select accessor_id from tokens where auth_method <> '')`,
    );
  }
  await loading.run(`delete from tokens where auth_method <> ''`);
  return row.count;
}

async function revokeFrom(loading: Loading, header: Header, auditFiles: readonly string[], now: Date) {
  const rows = (await loading.run("select name, audit_seq from counters")) as { name: string; audit_seq: number }[];
  const heads = new Map(rows.map((row) => [row.name, row.audit_seq]));
  const found = noRevocations();
  for (const file of auditFiles) await readRevocations(file, header.takenAt, heads, found);
  const isKnown = knowsDisabled(header.tables);
  if (!isKnown) for (const id of found.disabled) found.ids.tokens.add(id);
  const revoked = await revokeAgain(loading, found, now.toISOString());
  const deleted = await deleteAgain(loading, found, now.toISOString());
  const disabled = isKnown ? await disableAgain(loading, found.disabled, now.toISOString()) : 0;
  return { revoked, deleted, disabled, changed: stillChanged(found) };
}

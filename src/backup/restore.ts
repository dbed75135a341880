import type { Loading } from "../storage/loading.ts";
import { MOVED } from "../storage/moved.ts";
import { BackupRefused, type Header, type Trailer } from "./format.ts";
import { gapSince, raiseIndexes } from "./indexes.ts";
import type { OpenedBackup } from "./read.ts";
import { recordArrival } from "./record.ts";
import { readRevocations, revokeAgain, type Revoked } from "./revocations.ts";
import { BACKED_UP, OF_TOKENS } from "./tables.ts";

export interface RestoreOptions {
  /** Whether tokens that logins have made come back. */
  withLogins: boolean;
  /** Audit records, of which deletions beyond the backup are done again. */
  auditFile: string | undefined;
  now: Date;
}

export interface Restored {
  header: Header;
  trailer: Trailer;
  /** Tokens of logins that were left out. */
  logins: number;
  revoked: Record<Revoked, number>;
}

const NONE: Record<Revoked, number> = { tokens: 0, policies: 0, roles: 0, auth_methods: 0, binding_rules: 0 };

/**
 * Loads a backup into an empty database and makes that one a server may use. When it throws, nothing was restored.
 *
 * @throws BackupRefused when the backup is not what was written; ConfigError for an audit file that cannot be used
 */
export async function restoreBackup(
  backup: OpenedBackup,
  loading: Loading,
  { withLogins, auditFile, now }: RestoreOptions,
): Promise<Restored> {
  const { header } = backup;
  try {
    // What migrations have put there is in the backup too, as it was.
    for (const { name } of BACKED_UP.filter(isIn(header)).reverse()) await loading.run(`delete from ${name}`);
    const trailer = await loadAll(backup, loading);
    // A backup of what was moved, taken afterwards, is a database again.
    await loading.run(`delete from meta where name = '${MOVED}'`);
    const logins = withLogins ? 0 : await removeLogins(loading);
    const revoked = auditFile === undefined ? { ...NONE } : await revokeFrom(loading, header, auditFile, now);
    await raiseIndexes(loading, gapSince(header.takenAt, now));
    await recordArrival(loading, {
      action: "restore",
      database: header.database,
      detail: { takenAt: header.takenAt, withLogins, revoked },
      now,
    });
    await loading.finish();
    await loading.tidy();
    return { header, trailer, logins, revoked };
  } catch (error) {
    await loading.abandon();
    throw error;
  }
}

function isIn({ tables }: Header): (table: { name: string }) => boolean {
  return ({ name }) => tables.some((table) => table.name === name);
}

async function loadAll(backup: OpenedBackup, loading: Loading): Promise<Trailer> {
  const known = new Set<string>(BACKED_UP.map(({ name }) => name));
  const reading = backup.rows();
  for (;;) {
    const { value, done } = await reading.next();
    if (done === true) return value;
    const { table, lines } = value;
    if (!known.has(table.name))
      throw new BackupRefused(`the backup has a table ${table.name}, which this version does not know`);
    await loading.load(table.name, table.columns, lines);
  }
}

/** Takes out what logins have made. @returns how many tokens */
async function removeLogins(loading: Loading): Promise<number> {
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

async function revokeFrom(loading: Loading, header: Header, auditFile: string, now: Date) {
  const rows = (await loading.run("select name, audit_seq from counters")) as { name: string; audit_seq: number }[];
  const heads = new Map(rows.map((row) => [row.name, row.audit_seq]));
  return revokeAgain(loading, await readRevocations(auditFile, header.takenAt, heads), now.toISOString());
}

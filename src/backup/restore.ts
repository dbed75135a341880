import type { Loading } from "../storage/loading.ts";
import { BackupRefused, type Header, type Trailer } from "./format.ts";
import { gapSince, raiseIndexes } from "./indexes.ts";
import type { OpenedBackup, Rows } from "./read.ts";
import { recordRestore } from "./record.ts";
import { readRevocations, revokeAgain, type Revoked } from "./revocations.ts";
import { BACKED_UP } from "./tables.ts";

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
    const { trailer, logins } = await loadAll(backup, loading, withLogins);
    const revoked = auditFile === undefined ? { ...NONE } : await revokeFrom(loading, header, auditFile, now);
    await raiseIndexes(loading, gapSince(header.takenAt, now));
    await recordRestore(loading, { takenAt: header.takenAt, database: header.database, withLogins, revoked, now });
    await loading.finish();
    return { header, trailer, logins, revoked };
  } catch (error) {
    await loading.abandon();
    throw error;
  }
}

function isIn({ tables }: Header): (table: { name: string }) => boolean {
  return ({ name }) => tables.some((table) => table.name === name);
}

async function loadAll(backup: OpenedBackup, loading: Loading, withLogins: boolean) {
  const known = new Set<string>(BACKED_UP.map(({ name }) => name));
  const reading = backup.rows();
  let logins = 0;
  for (;;) {
    const { value, done } = await reading.next();
    if (done === true) return { trailer: value, logins };
    const { table } = value;
    if (!known.has(table.name))
      throw new BackupRefused(`the backup has a table ${table.name}, which this version does not know`);
    const kept = withLogins ? value.lines : withoutLogins(value);
    logins += kept === value.lines ? 0 : countLines(value.lines) - countLines(kept);
    if (kept !== "") await loading.load(table.name, table.columns, kept);
  }
}

/** The rows without those of tokens that a login has made. */
function withoutLogins({ table, lines }: Rows): string {
  if (table.name !== "tokens") return lines;
  const method = table.columns.indexOf("auth_method");
  const all = lines.split("\n").slice(0, -1);
  const kept = all.filter((line) => (JSON.parse(line) as unknown[])[method] === "");
  return kept.length === all.length ? lines : kept.map((line) => `${line}\n`).join("");
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - 1;
}

async function revokeFrom(loading: Loading, header: Header, auditFile: string, now: Date) {
  const rows = (await loading.run("select name, audit_seq from counters")) as { name: string; audit_seq: number }[];
  const heads = new Map(rows.map((row) => [row.name, row.audit_seq]));
  return revokeAgain(loading, await readRevocations(auditFile, header.takenAt, heads), now.toISOString());
}

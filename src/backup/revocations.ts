/** Reads from audit records the objects that were deleted after a backup: a restore must not bring them back. */
import { textLines } from "../records/verify/lines.ts";
import { ConfigError, quote } from "../config/given.ts";
import type { Loading } from "../storage/operator/loading.ts";
import { DELETED_KINDS, type DeletedObjects, fateOf, isDeciding, noDeletedObjects, slices } from "./deleted-objects.ts";
import { OF_TOKENS } from "./tables.ts";

/** By the names that audit records have for it, all that gives rights. */
export const REVOKED = {
  tokens: ["token", "tokens"],
  policies: ["policy", "policies"],
  roles: ["role", "roles"],
  auth_methods: ["auth-method", "auth-methods", "auth_method", "auth_methods"],
  binding_rules: ["binding-rule", "binding-rules", "binding_rule", "binding_rules"],
  console_sessions: ["session"],
} as const;
export type Revoked = keyof typeof REVOKED;
const TABLES = Object.keys(REVOKED) as Revoked[];

/**
 * How each of them ends. With a rotation of a token the backup's secret is one that was given up, and what it became nobody can
 * tell from a record, so the token does not come back at all.
 */
const ENDS: Readonly<Record<Revoked, ReadonlySet<unknown>>> = {
  tokens: new Set(["delete", "revoke", "expire", "logout", "rotate"]),
  policies: new Set(["delete"]),
  roles: new Set(["delete"]),
  auth_methods: new Set(["delete"]),
  binding_rules: new Set(["delete"]),
  console_sessions: new Set(["end", "expire", "displace"]),
};

/** Tables whose objects a restore from the trash gives back as they are: a token gets a new secret, an auth method a new ID. */
const BACK: ReadonlySet<Revoked> = new Set(["policies", "roles", "binding_rules"]);

/** Changes since the backup. */
export interface Revocations {
  /** IDs of what was deleted, by its table. */
  ids: Readonly<Record<Revoked, Set<string>>>;
  /** Numbers of the records that ended them, by ID: files of records come in any order. */
  endedBy: Map<string, number>;
  /** IDs of deleted objects of other kinds. */
  deleted: DeletedObjects;
  /** IDs of objects that were merged into another. */
  merged: DeletedObjects;
  /** AccessorIDs of tokens that were disabled, and not enabled since. */
  disabled: Set<string>;
  /** IDs of objects that were changed and come back as they were; behind its kind where the object gives no rights itself. */
  changed: Set<string>;
}

export function noRevocations(): Revocations {
  const ids = {
    tokens: new Set<string>(),
    policies: new Set<string>(),
    roles: new Set<string>(),
    auth_methods: new Set<string>(),
    binding_rules: new Set<string>(),
    console_sessions: new Set<string>(),
  };
  const endedBy = new Map<string, number>();
  return {
    ids,
    endedBy,
    deleted: noDeletedObjects(),
    merged: noDeletedObjects(),
    disabled: new Set(),
    changed: new Set(),
  };
}

/** The members of a record's line that count here. */
interface Line {
  chain?: unknown;
  seq?: unknown;
  at?: unknown;
  kind?: unknown;
  id?: unknown;
  partition?: unknown;
  action?: unknown;
  outcome?: unknown;
}

/** A transaction may be dated a little before the snapshot and be committed after it. */
const MARGIN_MS = 60_000;

/**
 * Reads what was ended, and what was changed, that the backup does not know.
 *
 * @param found is added to
 * @param path of JSON lines, one audit record each; a last line that is cut is left out
 * @param takenAt of the backup @param heads number of the last record of each chain that it holds
 * @throws StartError when the file cannot be read, ConfigError when a line is neither a record nor a head
 */
export async function readRevocations(
  path: string,
  takenAt: string,
  heads: ReadonlyMap<string, number>,
  found: Revocations,
): Promise<void> {
  const since = new Date(Date.parse(takenAt) - MARGIN_MS).toISOString();
  let number = 0;
  let broken: number | undefined;
  for await (const { text } of textLines(path)) {
    number += 1;
    // A server that was killed may have left the last line half written: only of that one nothing follows.
    if (broken !== undefined) throw notRecord(path, broken);
    if (text === "") continue;
    const line = parse(text);
    if (line === undefined) broken = number;
    else if (isLater(line, since, heads)) note(line, found);
  }
}

function notRecord(path: string, line: number): ConfigError {
  return new ConfigError(
    `--audit-file ${quote(path)} has no audit record in line ${line}. Set the file that serve --audit-file writes`,
  );
}

function parse(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    // A head has no kind.
    return "kind" in value || "mac" in value ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

function isLater({ chain, seq, at }: Line, since: string, heads: ReadonlyMap<string, number>): boolean {
  const head = typeof chain === "string" ? heads.get(chain) : undefined;
  if (head !== undefined && typeof seq === "number") return seq > head;
  return typeof at === "string" && at >= since;
}

/** How one that was changed is told: most IDs say of which kind they are, these do not. */
function changedName(kind: string, key: string): string {
  return `${kind} ${JSON.stringify(key)}`;
}

/** The rest of `changed`, without what is gone since. */
export function stillChanged({ ids, deleted, changed }: Revocations): string[] {
  const gone = new Set(Object.values(ids).flatMap((each) => [...each]));
  for (const kind of DELETED_KINDS) for (const key of deleted[kind]) gone.add(changedName(kind, key));
  return [...changed.difference(gone)];
}

function note({ seq, kind, id, partition, action, outcome }: Line, found: Revocations): void {
  if ((outcome !== "done" && outcome !== undefined) || typeof id !== "string" || id === "") return;
  const object = DELETED_KINDS.find((each) => each === kind);
  if (object !== undefined) {
    const key = object === "namespace" ? `${String(partition)}/${id}` : id;
    const fate = fateOf(action);
    if (fate !== "changed") found[fate][object].add(key);
    else if (action === "update" && isDeciding(object)) found.changed.add(changedName(object, key));
  }
  const table = TABLES.find((each) => (REVOKED[each] as readonly unknown[]).includes(kind));
  if (table === undefined) return;
  const number = typeof seq === "number" ? seq : undefined;
  const ended = found.endedBy.get(id);
  if (ENDS[table].has(action)) {
    found.ids[table].add(id);
    found.endedBy.set(id, Math.max(ended ?? 0, number ?? Infinity));
  } else if (action === "restore" && BACK.has(table)) {
    // From the trash, and perhaps changed before.
    if (number !== undefined && ended !== undefined && number > ended) found.ids[table].delete(id);
    found.changed.add(id);
  } else if (action === "update") found.changed.add(id);
  else if (table === "tokens" && action === "disable") found.disabled.add(id);
  else if (table === "tokens" && action === "enable") found.disabled.delete(id);
}

/** Deletes again what was ended after the backup. @returns how many of each there were */
export async function revokeAgain(
  loading: Loading,
  { ids, deleted }: Revocations,
  now: string,
): Promise<Record<Revoked, number>> {
  const counts = { tokens: 0, policies: 0, roles: 0, auth_methods: 0, binding_rules: 0, console_sessions: 0 };
  for (const table of TABLES) {
    const key = KEY_OF[table];
    const places = [
      ["partition || '/' || namespace", deleted.namespace],
      ["partition", deleted.partition],
    ] as const;
    // Sessions go with their tokens.
    for (const [place, names] of table === "console_sessions" ? [] : places) {
      for (const list of slices([...names])) {
        const rows = await loading.run(`select ${key} as id from ${table} where ${place} in {list}`, list);
        for (const row of rows) ids[table].add(String((row as { id: unknown }).id));
      }
    }
    for (const list of slices([...ids[table]])) {
      counts[table] += (await loading.run(`select ${key} from ${table} where ${key} in {list}`, list)).length;
      for (const statement of before(table, now)) await loading.run(statement, list);
      await loading.run(`delete from ${table} where ${key} in {list}`, list);
    }
  }
  return counts;
}

const KEY_OF: Record<Revoked, string> = {
  tokens: "accessor_id",
  policies: "id",
  roles: "id",
  auth_methods: "id",
  binding_rules: "id",
  console_sessions: "id",
};

/**
 * Statements that note what a deletion leaves: links to the deleted objects, and the objects that an auth method has
 * created, which are removed in the background.
 */
function before(table: Revoked, now: string): string[] {
  switch (table) {
    case "policies":
    case "roles":
      return [
        `insert into deleted_links (id, partition, namespace) select id, partition, namespace from ${table}
           where id in {list} on conflict do nothing`,
      ];
    case "auth_methods":
      return [
        `insert into deleted_methods (id, partition, name, deleted_at) select id, partition, name, '${now}' from auth_methods
           where id in {list} on conflict do nothing`,
      ];
    case "tokens":
      return OF_TOKENS.map((each) => `delete from ${each} where accessor_id in {list}`);
    case "binding_rules":
    case "console_sessions":
      return [];
  }
}

/** Reads of audit records. They are written with what they tell of (`storage/writes/recorded.ts`), and removed by `retention`. */
import { sql, type Expression, type SqlBool } from "kysely";
import { contains, inListScope, seesAll, visible } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";
import type { ListScope } from "../rights/permission.ts";
import type { Visibility } from "../rights/rules/visibility.ts";
import { selectionOf } from "../storage/writes/objects.ts";
import type { Engine } from "../storage/engine.ts";
import { defineQuery } from "../storage/reads/query.ts";
import { withDamaged } from "./damaged-between.ts";
import { type AuditPlace, type AuditRecord, type AuditSlice, fittingRecord, hashBefore } from "./record.ts";

/** Filter of a request; undefined members do not filter. */
export interface AuditFilter {
  /** AccessorID of who did it. */
  actor: string | undefined;
  kind: string | undefined;
  /** ID of the object. */
  object: string | undefined;
  action: string | undefined;
  outcome: string | undefined;
  requestId: string | undefined;
  /** Times, ISO 8601 in UTC with milliseconds: from this one on, and before that one. */
  from: string | undefined;
  to: string | undefined;
}

export interface AuditPage {
  filter: AuditFilter;
  /** Only those whose object's name holds this text; empty for all. */
  search: string;
  /** Place after which the page begins. */
  after: AuditPlace | undefined;
  size: number;
  /** Bytes of details that are read at a time; one record is read in any case. */
  bytes?: number;
  /** The oldest first; the newest first unless it is set. */
  isAscending?: boolean;
  /** With the damaged ones in between, whatever the filter is: nobody knows what they said, so each may be what is asked for. */
  showsDamaged?: boolean;
}

/** Lists the records that belong to a partition. */
export function listOfPartition(db: Reader, scope: ListScope, page: AuditPage): Promise<AuditSlice> {
  return list(db, inListScope(db.engine, scope), page);
}

/**
 * Lists the records that belong to an organization.
 *
 * @param id also of a deleted organization
 * @param workspaces names of the workspaces whose records are shown
 */
export function listOfOrganization(
  db: Reader,
  id: string,
  workspaces: Visibility,
  page: AuditPage,
): Promise<AuditSlice> {
  const isOfIt = sql<SqlBool>`organization_id = ${id}`;
  if (seesAll(workspaces)) return list(db, isOfIt, page);
  const isShown = sql`(kind <> 'workspace' or ${visible(db.engine, sql`lower(name)`, workspaces)}
    and ${wasVisible(db.engine, workspaces)})`;
  return list(db, sql<SqlBool>`${isOfIt} and ${isShown}`, page);
}

/** A record that gives a workspace another name tells the old one, and what it was like under that. */
function wasVisible(engine: Engine, workspaces: Visibility): Expression<SqlBool> {
  // A bit of a file may turn, and what was no JSON any more would fail the whole list. PostgreSQL before 16 cannot ask whether a
  // text is JSON; in it only a change of the name is written like this, since quotes within a text have a backslash before them.
  const old =
    engine === "postgres"
      ? sql`(regexp_match(detail, '"name":\\["([^"\\\\]*)"'))[1]`
      : sql`case when json_valid(detail) then detail ->> '$.changes.name[0]' end`;
  return sql<SqlBool>`coalesce(${visible(engine, sql`lower(${old})`, workspaces)}, ${old} is null)`;
}

/** The columns that a filter compares. */
const COMPARED = {
  actor: "accessor_id",
  kind: "kind",
  object: "object_id",
  action: "action",
  outcome: "outcome",
  requestId: "request_id",
} as const;

const NOTHING_ASKED = {
  actor: undefined,
  kind: undefined,
  object: undefined,
  action: undefined,
  outcome: undefined,
  requestId: undefined,
};

/** Unless it is said. */
const MOST_BYTES = 1024 * 1024;

async function list(db: Reader, where: Expression<SqlBool>, page: AuditPage): Promise<AuditSlice> {
  const { filter, search, showsDamaged = false } = page;
  const gathered = filter.requestId === undefined ? undefined : await findRefused(db, filter.requestId);
  const slice = await readSlice(filtered(db, where, page, gathered), page);
  const isFiltered = search !== "" || Object.keys(COMPARED).some((member) => filter[member as keyof typeof COMPARED]);
  if (!showsDamaged || !isFiltered) return slice;
  const { from, to } = filter;
  const range = { ...page, filter: { ...NOTHING_ASKED, from, to }, search: "" };
  return withDamaged(page, slice, (part) => readSlice(filtered(db, where, { ...range, ...part }, undefined), part));
}

async function readSlice(
  asked: ReturnType<typeof filtered>,
  page: Pick<AuditPage, "size" | "bytes">,
): Promise<AuditSlice> {
  const places = await asked
    .select(["at", "chain", "seq", sql<number>`octet_length(detail)`.as("bytes")])
    .limit(page.size)
    .execute();
  const { bytes: most = MOST_BYTES } = page;
  let bytes = 0;
  const tooMany = places.findIndex((place) => (bytes += place.bytes) > most);
  const fitting = tooMany === -1 ? places.length : Math.max(1, tooMany);
  if (fitting === 0) return { records: [], isLast: true };
  const rows = await asked
    .select(selectionOf("audit_records"))
    .select(hashBefore.as("before"))
    .limit(fitting)
    .execute();
  const records = rows.map(({ before, ...record }) => fittingRecord(record, before));
  return { records, isLast: fitting === places.length && places.length < page.size };
}

/** @param gathered the record of the request that is asked for, where that was refused: another one of it may be its last */
function filtered(
  db: Reader,
  where: Expression<SqlBool>,
  { filter, search, after, isAscending = false }: AuditPage,
  gathered: AuditPlace | undefined,
) {
  let query = db.sql.selectFrom("audit_records").where(where);
  for (const [member, column] of Object.entries(COMPARED)) {
    const wanted = filter[member as keyof typeof COMPARED];
    if (member === "requestId" && gathered !== undefined) {
      const { chain, seq } = gathered;
      query = query.where(sql<SqlBool>`(request_id = ${wanted} or (chain = ${chain} and seq = ${seq}))`);
    } else if (wanted !== undefined) query = query.where(column as "kind", "=", wanted);
  }
  const { from, to } = filter;
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<", to);
  if (search !== "") query = query.where(contains(db.engine, sql`lower(name)`, search));
  if (after !== undefined) {
    const isBehind = isAscending ? sql`>` : sql`<`;
    query = query.where(sql<SqlBool>`(at, chain, seq) ${isBehind} (${after.at}, ${after.chain}, ${after.seq})`);
  }
  const order = isAscending ? "asc" : "desc";
  return query.orderBy("at", order).orderBy("chain", order).orderBy("seq", order);
}

const deletion = defineQuery((db, p: { organization: string }) =>
  db
    .selectFrom("audit_records")
    .select(selectionOf("audit_records"))
    .select(hashBefore.as("before"))
    .where("organization_id", "=", p.organization)
    .where("chain", "=", "root")
    .where("object_id", "=", p.organization)
    .where("action", "=", "delete")
    .limit(1),
);

/**
 * Finds the former name of a deleted organization: permissions depend on the name. Undefined where no deleted
 * organization had this ID, or the record of its deletion is damaged.
 */
export async function findDeletedOrganization(db: Reader, id: string): Promise<string | undefined> {
  const [found] = await db.run(deletion, { organization: id });
  if (found === undefined) return undefined;
  const { before, ...record } = found;
  const proven = fittingRecord(record, before);
  return proven.isDamaged === true ? undefined : proven.name;
}

const login = defineQuery(
  (db, p: { partition: string; namespace: string; accessorId: string; from: string; to: string }) =>
    db
      .selectFrom("audit_records")
      .select(selectionOf("audit_records"))
      .select(hashBefore.as("before"))
      .where("partition", "=", p.partition)
      .where("namespace", "=", p.namespace)
      // As in the condition of its index.
      .where("namespace", "!=", "")
      .where("at", ">=", p.from)
      .where("at", "<", p.to)
      .where("object_id", "=", p.accessorId)
      .where("action", "=", "login")
      .orderBy("at")
      .orderBy("chain")
      .orderBy("seq")
      .limit(1),
);

/**
 * The record of the login that made a token, between two times; undefined where it is not kept any more, or is damaged.
 *
 * @param asked its times are ISO 8601 in UTC with milliseconds: from this one on, and before that one
 */
export async function findLogin(
  db: Reader,
  asked: { partition: string; namespace: string; accessorId: string; from: string; to: string },
): Promise<AuditRecord | undefined> {
  const [found] = await db.run(login, asked);
  if (found === undefined) return undefined;
  const { before, ...record } = found;
  const proven = fittingRecord(record, before);
  return proven.isDamaged === true ? undefined : proven;
}

/** Records whose last request came no earlier than one: the one that has it is among the first of them. */
const refusedFrom = defineQuery((db, p: { from: string; end: string; length: number; limit: number }) =>
  db
    .selectFrom("audit_records")
    .select(selectionOf("audit_records"))
    .select(hashBefore.as("before"))
    .where("outcome", "=", "refused")
    .where("request_id", ">=", p.from)
    .where("request_id", "<", p.end)
    .where(sql<SqlBool>`length(request_id) = ${p.length}`)
    .orderBy("request_id")
    .limit(p.limit),
);

/** Records that a slice reads, and all of a search: a record is of one minute, in which fewer are written. */
const REFUSED_SLICE = 250;
const REFUSED_SLICES = 16;

/**
 * The record of a denied request. Several equal requests share one record, under the ID of the last.
 *
 * @param requestId as answers and the log have it, a prefix of its process and a number; of any form
 * @returns undefined where the record does not exist any longer, or not yet
 */
export async function findRefused(db: Reader, requestId: string): Promise<AuditRecord | undefined> {
  const [, prefix, number] = /^([0-9a-f]+-)([0-9a-z]{1,12})$/.exec(requestId) ?? [];
  if (prefix === undefined || number === undefined) return undefined;
  const end = `${prefix}~`;
  // Numbers are as long as they have to be, so those behind the last of a length are one longer.
  for (const from of [requestId, `${prefix}1${"0".repeat(number.length)}`]) {
    let at = from;
    for (let slice = 0; slice < REFUSED_SLICES; slice++) {
      const read = await db.run(refusedFrom, { from: at, end, length: from.length, limit: REFUSED_SLICE });
      const found = read.map(({ before, ...each }) => fittingRecord(each, before));
      const record = found.find((each) => requestIdsOf(each).includes(requestId));
      if (record !== undefined) return record;
      const last = found.at(-1);
      if (found.length < REFUSED_SLICE || last === undefined) break;
      at = `${read.at(-1)?.requestId} `;
    }
  }
  return undefined;
}

function requestIdsOf({ requestId, detail }: AuditRecord): readonly unknown[] {
  const { requestIds } = JSON.parse(detail) as { requestIds?: unknown };
  return Array.isArray(requestIds) ? [...(requestIds as unknown[]), requestId] : [requestId];
}

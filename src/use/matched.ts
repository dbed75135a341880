/** How often binding rules matched, by the records of logins in the audit log. */
import type { Context } from "../context.ts";
import { bindingRuleStore } from "../acl/binding-rules/store.ts";
import { fittingRecord, hashBefore, type AuditRecord } from "../records/record.ts";
import type { Scope } from "../rights/scope.ts";
import { defineQuery } from "../storage/reads/query.ts";
import { selectionOf } from "../storage/writes/objects.ts";
import { startTurn } from "../turns.ts";
import { dayOf } from "./flush.ts";
import { DAYS_KEPT } from "../records/uses/row.ts";
import { listIds } from "./listed.ts";
import { addUse, emptyEntry, type ReportEntry } from "./sums.ts";

/** Records of a partition that one report reads, the newest first. */
export const MOST_RECORDS = 20_000;
const SLICE = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Binding rules of a scope with their logins. */
export interface MatchedRules {
  entries: ReadonlyMap<string, ReportEntry>;
  /** Since which day all logins were read; undefined where there are no records. */
  since: number | undefined;
}

/** Counts the logins of each binding rule of a scope, of the last 128 days. */
export async function findMatched(ctx: Context, scope: Scope): Promise<MatchedRules> {
  const entries = new Map<string, ReportEntry>();
  for (let after = ""; ;) {
    const { partition, namespace } = scope;
    const rows = await ctx.db.long.run(listIds.bindingRules, { partition, namespace, after, limit: SLICE });
    const ids = rows.map(({ id }) => id);
    for (const { id, description, authMethod } of await bindingRuleStore.all(ctx.db.long, scope, ids))
      entries.set(id, emptyEntry(`${authMethod}\n${id}`, { bindingRule: { id, description, authMethod } }));
    if (rows.length < SLICE) break;
    after = rows.at(-1)?.id ?? "";
  }
  return { entries, since: await countLogins(ctx, scope.partition, entries) };
}

async function countLogins(
  { db, now }: Context,
  partition: string,
  entries: ReadonlyMap<string, ReportEntry>,
): Promise<number | undefined> {
  const turn = startTurn();
  const from = new Date((dayOf(now()) - DAYS_KEPT + 1) * DAY_MS).toISOString();
  const [oldest] = await db.long.run(oldestRecord, { partition });
  let place = { at: "~", chain: "", seq: 0 };
  for (let read = 0; read < MOST_RECORDS; read += SLICE) {
    const rows = await db.long.run(newestOfPartition, { partition, from, ...place, limit: SLICE });
    for (const { before, ...record } of rows)
      if (record.action === "login") countLogin(entries, fittingRecord(record, before));
    // Nothing before the window, or before the oldest record that is still kept, is known.
    if (rows.length < SLICE) return oldest && dayOf(Math.max(Date.parse(oldest.at), Date.parse(from)));
    place = rows.at(-1) ?? place;
    if (turn.isOver()) await turn.next();
  }
  return dayOf(Date.parse(place.at)) + 1;
}

function countLogin(entries: ReadonlyMap<string, ReportEntry>, record: AuditRecord): void {
  if (record.isDamaged === true) return;
  const { bindingRules } = JSON.parse(record.detail) as { bindingRules?: unknown };
  if (!Array.isArray(bindingRules)) return;
  const day = dayOf(Date.parse(record.at));
  for (const id of new Set(bindingRules.map(String))) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    entry.enforced += 1;
    addUse(entry, { total: 1, firstDay: day, lastDay: day, days: 1n });
  }
}

const newestOfPartition = defineQuery(
  (db, p: { partition: string; from: string; at: string; chain: string; seq: number; limit: number }) =>
    db
      .selectFrom("audit_records")
      .select(selectionOf("audit_records"))
      .select(hashBefore.as("before"))
      .where("partition", "=", p.partition)
      // As in the condition of its index.
      .where("partition", "!=", "")
      .where("at", ">=", p.from)
      .where((eb) => eb(eb.refTuple("at", "chain", "seq"), "<", eb.tuple(p.at, p.chain, p.seq)))
      .orderBy("at", "desc")
      .orderBy("chain", "desc")
      .orderBy("seq", "desc")
      .limit(p.limit),
);

const oldestRecord = defineQuery((db, p: { partition: string }) =>
  db
    .selectFrom("audit_records")
    .select("at")
    .where("partition", "=", p.partition)
    .where("partition", "!=", "")
    .orderBy("at")
    .limit(1),
);

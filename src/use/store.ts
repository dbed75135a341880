/** Statements of the use ledger. */
import { sql, type SqlBool } from "kysely";
import type { Reader } from "../storage/database.ts";
import { provenRows } from "../storage/proofs/proofs.ts";
import { defineQuery, oneOf } from "../storage/reads/query.ts";
import type { Scope } from "../rights/scope.ts";
import type { UseRow } from "../records/uses/row.ts";
import { READ_COLUMNS, useRowOf, type valuesOf } from "./stored.ts";

type Values = ReturnType<typeof valuesOf>;

/** Days of one word and words of a row, as in `stored.ts`. */
const LAST_WORD = sql<number>`(use_rows.last_day / 32)`;

/**
 * The word of a row after a use: bits that are 128 days older than the newest day give way to those of another word, and a day
 * that is too old for the row is not kept.
 */
function wordAfter(index: number, word: number) {
  const stored = sql.ref(`use_rows.days_${index}`);
  const added = sql.ref(`excluded.days_${index}`);
  const given = sql<number>`cast(${word} as bigint)`;
  const oldWord = sql`(${LAST_WORD} - ((${LAST_WORD} - ${sql.lit(index)} + 5) % 5))`;
  return sql<number>`((case when ${oldWord} >= ${given} - 4 then ${stored} else 0 end)
    | (case when ${given} >= ${LAST_WORD} - 4 then ${added} else 0 end))`;
}

const text = (value: string | null) => sql<string>`cast(${value} as text)`;
const whole = (value: number) => sql<number>`cast(${value} as bigint)`;

/** Columns that name a row, in the order of the insert. */
const textsOf = (p: Values) => [
  text(p.id).as("id"),
  text(p.groupId).as("group_id"),
  text(p.partition).as("partition"),
  text(p.namespace).as("namespace"),
  sql<string | null>`nullif(${text(p.accessorId)}, '')`.as("accessor_id"),
  text(p.methodId).as("method_id"),
  text(p.subject).as("subject"),
  text(p.policyId).as("policy_id"),
  text(p.ruleResource).as("rule_resource"),
  sql<0 | 1>`cast(${p.rulePrefix} as bigint)`.as("rule_prefix"),
  text(p.ruleSegment).as("rule_segment"),
  text(p.rulePermission).as("rule_permission"),
  text(p.ruleBlock).as("rule_block"),
  text(p.decidedPartition).as("decided_partition"),
  text(p.decidedNamespace).as("decided_namespace"),
  text(p.resource).as("resource"),
  text(p.access).as("access"),
  text(p.source).as("source"),
  text(p.askedBy).as("asked_by"),
  text(p.name).as("name"),
];

/** Columns that count, behind those. */
const numbersOf = (p: Values) => [
  whole(p.total).as("total"),
  whole(p.day).as("first_day"),
  whole(p.day).as("last_day"),
  whole(p.days0).as("days_0"),
  whole(p.days1).as("days_1"),
  whole(p.days2).as("days_2"),
  whole(p.days3).as("days_3"),
  whole(p.days4).as("days_4"),
];

/**
 * Adds uses to a row, or makes it. A subject that is gone, or whose namespace is being deleted, gets none: what it used may
 * arrive later than its end.
 */
export const addUse = defineQuery((db, p: Values) =>
  db
    .insertInto("use_rows")
    .columns([
      ...(["id", "group_id", "partition", "namespace", "accessor_id", "method_id", "subject", "policy_id"] as const),
      ...(["rule_resource", "rule_prefix", "rule_segment", "rule_permission", "rule_block"] as const),
      ...(["decided_partition", "decided_namespace", "resource", "access", "source", "asked_by", "name"] as const),
      ...(["total", "first_day", "last_day", "days_0", "days_1", "days_2", "days_3", "days_4"] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom("namespaces")
        .select([...textsOf(p), ...numbersOf(p)])
        .where("namespaces.id", "=", p.place)
        .where("namespaces.deleted_at", "=", "")
        .where(
          sql<SqlBool>`(${text(p.accessorId)} = '' or exists (select 1 from tokens
            where tokens.accessor_id = ${p.accessorId} and tokens.create_index = ${whole(p.createIndex)}))`,
        )
        .where(
          sql<SqlBool>`(${text(p.methodId)} = '' or exists (select 1 from auth_methods where auth_methods.id = ${p.methodId}))`,
        ),
    )
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        total: sql`use_rows.total + excluded.total`,
        first_day: sql`case when excluded.first_day < use_rows.first_day then excluded.first_day else use_rows.first_day end`,
        last_day: sql`case when excluded.last_day > use_rows.last_day then excluded.last_day else use_rows.last_day end`,
        days_0: wordAfter(0, p.word),
        days_1: wordAfter(1, p.word),
        days_2: wordAfter(2, p.word),
        days_3: wordAfter(3, p.word),
        days_4: wordAfter(4, p.word),
      }),
    ),
);

/** The last flush of a server. */
export const findSequence = defineQuery((db, p: { server: string }) =>
  db.selectFrom("use_servers").select("sequence").where("server", "=", p.server),
);

export const raiseSequence = defineQuery((db, p: { server: string; sequence: number; day: number }) =>
  db
    .insertInto("use_servers")
    .values({ server: p.server, sequence: p.sequence, day: p.day })
    .onConflict((conflict) =>
      conflict.column("server").doUpdateSet({ sequence: sql`excluded.sequence`, day: sql`excluded.day` }),
    ),
);

/** Which of these rows exist. */
export const findKnown = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("use_rows")
    .select("id")
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Numbers of names of groups. */
export const countNames = defineQuery((db, p: { groups: readonly string[] }, engine) =>
  db
    .selectFrom("use_rows")
    .select(({ fn }) => ["group_id", fn.countAll<number>().as("count")])
    .where(oneOf(engine, sql.ref("group_id"), p.groups))
    .where("name", "is not", null)
    .groupBy("group_id"),
);

/** Subjects of an auth method, as stored. */
export const listSubjects = defineQuery((db, p: { methodId: string; limit: number }) =>
  db
    .selectFrom("use_rows")
    .select("subject")
    .distinct()
    .where("method_id", "=", p.methodId)
    // As in the condition of its index.
    .where("method_id", "<>", "")
    .limit(p.limit),
);

/** Names of decision points of a scope. */
export const listPoints = defineQuery((db, p: Scope & { limit: number }) =>
  db
    .selectFrom("use_rows")
    .select("asked_by")
    .distinct()
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    // As in the condition of its index.
    .where("asked_by", "<>", "")
    .limit(p.limit),
);

/** Number of rows of a scope. */
export const countRows = defineQuery((db, p: Scope) =>
  db
    .selectFrom("use_rows")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace),
);

/** Notes the last day on which uses of a scope were left out. */
export const noteGap = defineQuery((db, p: { place: string; day: number }) =>
  db
    .insertInto("use_gaps")
    .values({ place: p.place, day: p.day })
    .onConflict((conflict) => conflict.column("place").doUpdateSet({ day: sql`excluded.day` })),
);

const findGap = defineQuery((db, p: { place: string }) =>
  db.selectFrom("use_gaps").select("day").where("place", "=", p.place),
);

/** Returns the last day on which uses of a scope were left out; undefined for never. */
export async function readGap(db: Reader, { partition, namespace }: Scope): Promise<number | undefined> {
  const [row] = await db.run(findGap, { place: `${partition}/${namespace}` });
  return row?.day;
}

const listRows = defineQuery((db, p: Scope & { after: string; limit: number }) =>
  db
    .selectFrom("use_rows")
    .select(READ_COLUMNS)
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

const listRowsOfPolicy = defineQuery((db, p: Scope & { policyId: string; after: string; limit: number }) =>
  db
    .selectFrom("use_rows")
    .select(READ_COLUMNS)
    .where("policy_id", "=", p.policyId)
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

const listRowsOfToken = defineQuery((db, p: Scope & { accessorId: string; after: string; limit: number }) =>
  db
    .selectFrom("use_rows")
    .select(READ_COLUMNS)
    .where("accessor_id", "=", p.accessorId)
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Rows that one statement reads. */
const PAGE = 1000;

/** Some of the rows of a scope: those of a policy, or of a token. */
export type SomeRows = { readonly policyId: string } | { readonly accessorId: string };

/** Reads the rows of a scope, a page after the other. @param some undefined for all */
export async function* readRows(db: Reader, scope: Scope, some?: SomeRows): AsyncGenerator<UseRow[], void> {
  const { partition, namespace } = scope;
  const place = { partition, namespace };
  for (let after = ""; ;) {
    const page = { ...place, after, limit: PAGE };
    const rows = await (some === undefined
      ? db.run(listRows, page)
      : "policyId" in some
        ? db.run(listRowsOfPolicy, { ...page, ...some })
        : db.run(listRowsOfToken, { ...page, ...some }));
    if (rows.length > 0) yield rows.map((row) => useRowOf(row, place));
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? "";
  }
}

/** Rows that were not used since a day; for their removal. */
export const listOld = defineQuery((db, p: { before: number; limit: number }) =>
  db.selectFrom("use_rows").select("id").where("last_day", "<", p.before).orderBy("last_day").limit(p.limit),
);
/** A row may have been used since it was listed. */
export const removeRows = defineQuery((db, p: { ids: readonly string[]; before: number }, engine) =>
  db
    .deleteFrom("use_rows")
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .where("last_day", "<", p.before),
);
export const removeGaps = defineQuery((db, p: { before: number }) =>
  db.deleteFrom("use_gaps").where("day", "<", p.before),
);
export const listOldServers = defineQuery((db, p: { before: number; limit: number }) =>
  db.selectFrom("use_servers").select("server").where("day", "<", p.before).orderBy("server").limit(p.limit),
);
export const removeServers = defineQuery((db, p: { servers: readonly string[] }, engine) =>
  db.deleteFrom("use_servers").where(oneOf(engine, sql.ref("server"), p.servers)),
);
export const removeLeases = defineQuery((db, p: { names: readonly string[] }, engine) =>
  db.deleteFrom("leases").where(oneOf(engine, sql.ref("name"), p.names)),
);

/** Name in `meta` of the day since which uses are noted without interruption. */
export const SINCE = "use_ledger_since";
export const findSince = defineQuery((db, _: object) =>
  db.selectFrom("meta").select("value").where("name", "=", SINCE),
);
export const meta = provenRows("meta");

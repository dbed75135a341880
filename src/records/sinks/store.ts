/** Up to where each sink has been given each chain. */
import { type Kysely, sql } from "kysely";
import type { Database, Reader, Transaction } from "../../storage/database.ts";
import type { Engine } from "../../storage/engine.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { Tables } from "../../storage/tables/tables.ts";
import { CHAIN_OF_COUNTER } from "../chains.ts";

/** A chain of which a sink has still to be given something. */
export interface PendingChain {
  /** Name of its row in `counters`, by which pages continue. */
  name: string;
  chain: string;
  /** The place of its last record. */
  last: number;
  /** Up to where the sink has it, and the last head that it was given. */
  seq: number;
  headSeq: number;
  /** The newest head, where there is one. */
  head: { seq: number; hash: string; at: string; mac: string } | undefined;
}

/**
 * Lists chains with records that a sink has not been given, in the order of their names. Reads all counters after
 * `after`.
 */
export async function listPendingChains(
  db: Pick<Database, "long">,
  p: { sink: string; after: string; limit: number },
): Promise<PendingChain[]> {
  return (await db.long.run(pendingChains, p)).map(asPending);
}

/** The same among counters of these names. */
export async function listPendingOf(
  db: Pick<Database, "long">,
  p: { sink: string; names: readonly string[] },
): Promise<PendingChain[]> {
  return (await db.long.run(pendingOf, p)).map(asPending);
}

/** Lists chains with a head that a sink has not been given, though it has all records up to it. */
export async function listPendingHeads(
  db: Pick<Database, "long">,
  p: { sink: string; after: string; limit: number },
): Promise<PendingChain[]> {
  return (await db.long.run(pendingHeads, p)).map(asPending);
}

interface PendingRow extends Omit<PendingChain, "head"> {
  signed: number | null;
  hash: string | null;
  at: string | null;
  mac: string | null;
}

function asPending({ hash, at, mac, signed, ...row }: PendingRow): PendingChain {
  const head = signed === null ? undefined : { seq: signed, hash: hash ?? "", at: at ?? "", mac: mac ?? "" };
  return { ...row, head };
}

/** Records that a sink has not been given yet. */
export interface Backlog {
  records: number;
  /** When the oldest of them was made; undefined when there is none. */
  since: string | undefined;
}

export async function readBacklog(db: Pick<Database, "long">, sink: string): Promise<Backlog> {
  const [row] = await db.long.run(backlog, { sink });
  return { records: row?.records ?? 0, since: row?.since ?? undefined };
}

/** Notes what a sink has been given. Part of a transaction under its lease. */
export function writePosition(tx: Transaction, p: { sink: string; chain: string; seq: number; headSeq: number }): void {
  tx.write(putPosition, p);
}

/** Notes that a server feeds a sink. */
export function writeSink(tx: Transaction, sink: string, seenAt: string): void {
  tx.write(putSink, { sink, seenAt });
}

/** The least place that all sinks which a server has fed since then have been given; undefined where there are none. */
export async function findLeastPosition(tx: Reader, chain: string, since: string): Promise<number | undefined> {
  const rows = await tx.run(positionsOf, { chain, since });
  return rows.length === 0 ? undefined : Math.min(...rows.map(({ seq }) => seq ?? 0));
}

const positionsOf = defineQuery((db, p: { chain: string; since: string }) =>
  db
    .selectFrom("audit_sinks as s")
    .leftJoin("audit_positions as p", (join) => join.onRef("p.sink", "=", "s.sink").on("p.chain", "=", p.chain))
    .select("p.seq as seq")
    .where("s.seen_at", ">=", p.since),
);

const IS_BEHIND = sql<boolean>`c.audit_seq > coalesce(p.seq, 0)`;

/** The head is looked up for those that are behind only. */
function pending(db: Kysely<Tables>, sink: string) {
  return db
    .selectFrom("counters as c")
    .leftJoin("audit_positions as p", (join) =>
      join.on("p.sink", "=", sink).on(sql<boolean>`p.chain = ${CHAIN_OF_COUNTER}`),
    )
    .leftJoin("audit_heads as h", (join) => join.on(sql<boolean>`h.chain = ${CHAIN_OF_COUNTER}`))
    .select([
      "c.name as name",
      CHAIN_OF_COUNTER.as("chain"),
      "c.audit_seq as last",
      sql<number>`coalesce(p.seq, 0)`.as("seq"),
      sql<number>`coalesce(p.head_seq, 0)`.as("headSeq"),
      "h.seq as signed",
      "h.hash as hash",
      "h.at as at",
      "h.mac as mac",
    ])
    .where("c.audit_seq", ">", 0)
    .where(IS_BEHIND);
}

const pendingChains = defineQuery((db, p: { sink: string; after: string; limit: number }) =>
  pending(db, p.sink).where("c.name", ">", p.after).orderBy("c.name").limit(p.limit),
);

const pendingOf = defineQuery((db, p: { sink: string; names: readonly string[] }, engine: Engine) =>
  pending(db, p.sink).where(oneOf(engine, sql.ref("c.name"), p.names)),
);

const pendingHeads = defineQuery((db, p: { sink: string; after: string; limit: number }) =>
  db
    .selectFrom("audit_heads as h")
    .innerJoin("audit_positions as p", (join) => join.on("p.sink", "=", p.sink).onRef("p.chain", "=", "h.chain"))
    .select([
      "h.chain as name",
      "h.chain as chain",
      "p.seq as last",
      "p.seq as seq",
      "p.head_seq as headSeq",
      "h.seq as signed",
      "h.hash as hash",
      "h.at as at",
      "h.mac as mac",
    ])
    .where("h.chain", ">", p.after)
    .where(sql<boolean>`h.seq > p.head_seq and h.seq <= p.seq`)
    .orderBy("h.chain")
    .limit(p.limit),
);

/** Counts missing records. Records that were pruned before a sink was given any are not missing. */
const backlog = defineQuery((db, p: { sink: string }) =>
  db
    .selectFrom("counters as c")
    .leftJoin("audit_positions as p", (join) =>
      join.on("p.sink", "=", p.sink).on(sql<boolean>`p.chain = ${CHAIN_OF_COUNTER}`),
    )
    .leftJoin("audit_cuts as cut", (join) => join.on(sql<boolean>`cut.chain = ${CHAIN_OF_COUNTER}`))
    .select([
      sql<number>`cast(coalesce(sum(c.audit_seq - coalesce(p.seq, cut.seq, 0)), 0) as bigint)`.as("records"),
      sql<string | null>`min((select r.at from audit_records r where r.chain = ${CHAIN_OF_COUNTER}
        and r.seq > coalesce(p.seq, 0) order by r.seq limit 1))`.as("since"),
    ])
    .where("c.audit_seq", ">", 0)
    .where(IS_BEHIND),
);

const putPosition = defineQuery((db, p: { sink: string; chain: string; seq: number; headSeq: number }) =>
  db
    .insertInto("audit_positions")
    .values({ sink: p.sink, chain: p.chain, seq: p.seq, head_seq: p.headSeq })
    .onConflict((oc) =>
      oc
        .columns(["sink", "chain"])
        .doUpdateSet((eb) => ({ seq: eb.ref("excluded.seq"), head_seq: eb.ref("excluded.head_seq") })),
    ),
);

const putSink = defineQuery((db, p: { sink: string; seenAt: string }) =>
  db
    .insertInto("audit_sinks")
    .values({ sink: p.sink, seen_at: p.seenAt })
    .onConflict((oc) => oc.column("sink").doUpdateSet((eb) => ({ seen_at: eb.ref("excluded.seen_at") }))),
);

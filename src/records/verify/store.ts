/** Reads the data for a verification slice by slice, because a server may use the database at the same time. */
import { sql } from "kysely";
import type { Reader } from "../../storage/database.ts";
import { endedCounter } from "../../storage/writes/counters.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import { CHAIN_OF_COUNTER } from "../chains.ts";
import type { AuditHead } from "../line.ts";

/** Facts about a chain beyond its records. */
export interface ChainFacts {
  head: AuditHead | undefined;
  cut: AuditHead | undefined;
  /** State of its counter; undefined where it has none. */
  counter: { seq: number; hash: string } | undefined;
  /** The last record, and the last head, that a sink was given; 0 where none was. */
  given: { seq: number; headSeq: number };
}

/**
 * In this order, so that what is written meanwhile makes none of them look wrong: a head is never further than its counter, and
 * no sink than either.
 */
export async function readFacts(db: Reader, chain: string): Promise<ChainFacts> {
  const [given] = await db.run(givenOf, { chain });
  const [head] = await db.run(headOf, { chain });
  const counter = await readChainCounter(db, chain);
  return {
    head,
    cut: await readCut(db, chain),
    counter,
    given: { seq: given?.seq ?? 0, headSeq: given?.headSeq ?? 0 },
  };
}

/** The last record that was pruned. */
export async function readCut(db: Reader, chain: string): Promise<AuditHead | undefined> {
  const [cut] = await db.run(cutOf, { chain });
  return cut;
}

/** Up to where a counter has its chain; of an owner that is gone it has another name. */
export async function readChainCounter(db: Reader, chain: string): Promise<ChainFacts["counter"]> {
  const rows = await db.run(counterOf, { chain, ended: endedCounter(chain) });
  return rows.toSorted((a, b) => b.seq - a.seq)[0];
}

/** Names of chains that have a counter, in pages by the name of its row. */
export function listCounted(db: Reader, after: string, limit: number): Promise<{ name: string; chain: string }[]> {
  return db.run(counted, { after, limit });
}

/** Names of chains that have records, a head or a cut, in pages. */
export function listNamed(db: Reader, after: string, limit: number): Promise<{ chain: string | null }[]> {
  return db.run(named, { after, limit });
}

const givenOf = defineQuery((db, p: { chain: string }) =>
  db
    .selectFrom("audit_sinks as s")
    .innerJoin("audit_positions as p", (join) => join.onRef("p.sink", "=", "s.sink").on("p.chain", "=", p.chain))
    .select((eb) => [eb.fn.max("p.seq").as("seq"), eb.fn.max("p.head_seq").as("headSeq")]),
);
const headOf = defineQuery((db, p: { chain: string }) =>
  db.selectFrom("audit_heads").select(["chain", "seq", "hash", "at", "mac"]).where("chain", "=", p.chain),
);
const cutOf = defineQuery((db, p: { chain: string }) =>
  db.selectFrom("audit_cuts").select(["chain", "seq", "hash", "at", "mac"]).where("chain", "=", p.chain),
);
const counterOf = defineQuery((db, p: { chain: string; ended: string }) =>
  db
    .selectFrom("counters")
    .select(["audit_seq as seq", "audit_hash as hash"])
    .where((eb) => eb.or([eb("name", "=", p.chain), eb("name", "=", p.ended)]))
    .where("audit_seq", ">", 0),
);
const counted = defineQuery((db, p: { after: string; limit: number }) =>
  db
    .selectFrom("counters as c")
    .select(["c.name as name", CHAIN_OF_COUNTER.as("chain")])
    .where("c.name", ">", p.after)
    .where("c.audit_seq", ">", 0)
    .orderBy("c.name")
    .limit(p.limit),
);

/** From one chain to the next by the key, whatever lies in them. */
const named = defineQuery((db, p: { after: string; limit: number }) => {
  const next = (after: ReturnType<typeof sql>) => sql<string | null>`(select min(chain) from (
    select min(chain) as chain from audit_records where chain > ${after} union all
    select min(chain) from audit_heads where chain > ${after} union all
    select min(chain) from audit_cuts where chain > ${after}) as nearest)`;
  return db
    .withRecursive("chains", (with_) =>
      with_.selectNoFrom(next(sql`${p.after}`).as("chain")).unionAll(
        with_
          .selectFrom("chains" as never)
          .select(next(sql`chains.chain`).as("chain"))
          .where(sql<boolean>`chains.chain is not null`),
      ),
    )
    .selectFrom("chains")
    .select("chains.chain as chain")
    .where("chains.chain", "is not", null)
    .limit(p.limit);
});

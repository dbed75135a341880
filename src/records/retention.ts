/**
 * How long audit records are kept. What is older is pruned in the background, from the beginning of each chain and never behind
 * its signed head, and not before the sinks have it. The cut is a record of the chain, and is signed as heads are.
 */
import { sql } from "kysely";
import { AppError } from "../errors.ts";
import { chainOf, type Counter } from "../storage/writes/counters.ts";
import type { AuditEntry, Database, Transaction } from "../storage/database.ts";
import { checkLease, type Lease } from "../storage/feed/lease.ts";
import { defineQuery } from "../storage/reads/query.ts";
import type { RemovedBatch, Removal } from "../storage/operator/removal.ts";
import { CHAIN_OF_COUNTER } from "./chains.ts";
import { type ChainMacs, createChainMacs } from "./macs.ts";
import { findLeastPosition } from "./sinks/store.ts";

/** Each batch goes along the table's own order; the indexes of its rows lie apart. */
const ROWS = { least: 50, most: 400 };
const EVERY_MS = 30_000;
/** Chains that are looked at together. */
const PAGE = 1000;
/** A sink that no server has fed for so long is not waited for. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;
/** Chains of denied reads, which are kept for a time of their own. */
const REFUSED_READS = "refusals/reads/";

export interface RetentionOptions {
  /** Milliseconds that records are kept; 0 keeps them without limit. */
  keepMs: number;
  /** Milliseconds that records of denied reads are kept; 0 keeps them without limit. */
  keepRefusedReadsMs: number;
  everyMs?: number;
  /** The clock by which records are too old, in milliseconds since the epoch; that of the database when left out. */
  now?: () => number;
}

/** Records that are too old. */
export function oldAuditRecords(db: Database, options: RetentionOptions): Removal {
  const macs = createChainMacs(db.keyring);
  const { now = db.now } = options;
  let after = "";
  return {
    lease: "old-audit-records",
    rows: ROWS,
    everyMs: options.everyMs ?? EVERY_MS,
    async jobs() {
      const page = await db.long.run(oldestOfChains, { after, limit: PAGE });
      after = page.length < PAGE ? "" : (page.at(-1)?.name ?? "");
      return page.flatMap(({ name, oldest }) => {
        const before = keptSince(chainOf(name), options, now());
        if (before === undefined || oldest === null || oldest >= before) return [];
        const fedSince = new Date(now() - FORGOTTEN_MS).toISOString();
        return [{ remove: (lease, limit) => prune(db, macs, { lease, name, before, fedSince, limit }) }];
      });
    },
  };
}

/** The time from which on records of a chain are kept; undefined where all are. */
function keptSince(chain: string, { keepMs, keepRefusedReadsMs }: RetentionOptions, now: number): string | undefined {
  const kept = chain.startsWith(REFUSED_READS) ? keepRefusedReadsMs : keepMs;
  return kept === 0 ? undefined : new Date(now - kept).toISOString();
}

interface Pruning {
  lease: Lease;
  /** Name of the chain's row in `counters`. */
  name: string;
  before: string;
  /** Time of the last feeding from which on a sink is waited for. */
  fedSince: string;
  limit: number;
}

async function prune(db: Database, macs: ChainMacs, pruning: Pruning): Promise<RemovedBatch> {
  let began = 0;
  try {
    const removed = await db.inTransaction(counterOf(pruning.name), async (tx) => {
      began = performance.now();
      await checkLease(tx, pruning.lease);
      return cut(tx, macs, pruning, db.now());
    });
    return { removed, isLast: removed < pruning.limit, milliseconds: performance.now() - began };
  } catch (error) {
    // Its owner has gone meanwhile: it is found again under its other name.
    if (error instanceof AppError && ["not_found", "invalid"].includes(error.code)) return { removed: 0, isLast: true };
    throw error;
  }
}

/** @returns how many records went */
async function cut(
  tx: Transaction,
  macs: ChainMacs,
  { name, before, fedSince, limit }: Pruning,
  now: number,
): Promise<number> {
  const chain = chainOf(name);
  const [head] = await tx.run(headOf, { chain });
  const given = await findLeastPosition(tx, chain, fedSince);
  const most = Math.min((head?.seq ?? 0) - 1, given ?? Infinity);
  const found = await tx.run(firstOf, { chain, limit });
  const young = found.findIndex(({ seq, at }) => at >= before || seq > most);
  const old = young === -1 ? found : found.slice(0, young);
  const last = old.at(-1);
  // Each cut makes a record: one that took away but a few of its own kind would be made for ever.
  if (last === undefined || (old.length < ROWS.least && old.every(isCut))) return 0;
  const mark = { chain, seq: last.seq, hash: last.hash, at: new Date(now).toISOString() };
  tx.write(removeUpTo, { chain, last: last.seq });
  tx.write(putCut, { ...mark, mac: macs.cut(mark) });
  const detail = { upTo: last.seq, hash: last.hash, records: old.length };
  tx.record({ ...placeOf(chain), kind: "audit", objectId: chain, name: chain, action: "prune", detail });
  return old.length;
}

const isCut = ({ kind, action }: { kind: string; action: string }): boolean => kind === "audit" && action === "prune";

/** Returns the partition or organization of a chain, as its records show it. */
function placeOf(chain: string): Pick<AuditEntry, "partition" | "organizationId"> {
  const [, kind, id] = /(?:^|\/)(partition|organization)\/(.*)$/s.exec(chain) ?? [];
  if (kind === "partition") return { partition: id ?? "" };
  return kind === "organization" ? { organizationId: id ?? "" } : {};
}

/** Partitions and organizations are written to as others do it: nodes follow their counters. */
function counterOf(name: string): Counter {
  if (name.startsWith("partition/")) return { kind: "partition", name: name.slice("partition/".length) };
  return { kind: "chain", name };
}

const oldestOfChains = defineQuery((db, p: { after: string; limit: number }) =>
  db
    .selectFrom("counters as c")
    .select([
      "c.name as name",
      sql<
        string | null
      >`(select r.at from audit_records r where r.chain = ${CHAIN_OF_COUNTER} order by r.seq limit 1)`.as("oldest"),
    ])
    .where("c.name", ">", p.after)
    .orderBy("c.name")
    .limit(p.limit),
);

const headOf = defineQuery((db, p: { chain: string }) =>
  db.selectFrom("audit_heads").select("seq").where("chain", "=", p.chain),
);

const firstOf = defineQuery((db, p: { chain: string; limit: number }) =>
  db
    .selectFrom("audit_records")
    .select(["seq", "hash", "at", "kind", "action"])
    .where("chain", "=", p.chain)
    .orderBy("seq")
    .limit(p.limit),
);

const removeUpTo = defineQuery((db, p: { chain: string; last: number }) =>
  db.deleteFrom("audit_records").where("chain", "=", p.chain).where("seq", "<=", p.last),
);

const putCut = defineQuery((db, p: { chain: string; seq: number; hash: string; at: string; mac: string }) =>
  db
    .insertInto("audit_cuts")
    .values({ chain: p.chain, seq: p.seq, hash: p.hash, at: p.at, mac: p.mac })
    .onConflict((oc) =>
      oc.column("chain").doUpdateSet((eb) => ({
        seq: eb.ref("excluded.seq"),
        hash: eb.ref("excluded.hash"),
        at: eb.ref("excluded.at"),
        mac: eb.ref("excluded.mac"),
      })),
    ),
);

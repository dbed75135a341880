/**
 * Heads of chains, which one node signs every minute. Whoever can write the database can compute a new chain, but not sign it:
 * a chain is signed further only while the record at its last signed head is still that one.
 */
import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { AppError } from "../errors.ts";
import { type Lease, newHolder, takeLease } from "../storage/lease.ts";
import { defineQuery } from "../storage/query.ts";
import { type Background, startBackground } from "../storage/removal.ts";
import { CHAIN_OF_COUNTER } from "./chains.ts";
import { createChainMacs, type ChainMacs } from "./macs.ts";

const EVERY_MS = 60_000;
const PAGE = 256;
/** Chains of one round that the log names. */
const MOST_TOLD = 10;

export interface Heads extends Background {
  /** Chains that were found not to hold what was signed. */
  broken(): number;
  /** Signs what has moved, now. */
  sign(): Promise<void>;
}

export interface HeadsOptions {
  /** Told of a chain that does not hold what was signed. */
  onBroken: (chain: string, seq: number) => void;
  onError: (error: unknown) => void;
  everyMs?: number;
}

/** Starts the work; it is done once more at the end, so that nothing that was recorded stays without a head. */
export function startHeads(db: Database, { onBroken, onError, everyMs = EVERY_MS }: HeadsOptions): Heads {
  const macs = createChainMacs(db.keyring);
  const holder = newHolder();
  let broken = 0;

  async function sign(): Promise<void> {
    let lease: Lease | undefined;
    let found = 0;
    for (let after = ""; ;) {
      const page = await db.long.run(movedChains, { after, limit: PAGE });
      if (page.length === 0) break;
      lease = await takeLease(db, "audit-heads", holder);
      if (lease === undefined) return;
      for (const each of page.filter((moved) => !isWhole(macs, moved))) {
        found += 1;
        if (found <= MOST_TOLD) onBroken(each.chain, each.headSeq ?? 0);
      }
      await writeHeads(db, lease, macs, page);
      after = page.at(-1)?.name ?? "";
    }
    broken = found;
  }

  let last = Promise.resolve();
  /** One after the other: what is asked for now signs what is there now, and none that began before ends after it. */
  function work(): Promise<void> {
    const done = last.then(sign).catch((error: unknown) => {
      // Another node has taken over.
      if (!(error instanceof AppError && error.code === "conflict")) throw error;
    });
    last = done.catch(() => undefined);
    return done;
  }
  const background = startBackground(work, onError, everyMs);
  return {
    broken: () => broken,
    sign: work,
    async stop() {
      await background.stop();
      await work().catch(onError);
    },
  };
}

interface MovedChain {
  chain: string;
  seq: number;
  hash: string;
  headSeq: number | null;
  headHash: string | null;
  headAt: string | null;
  headMac: string | null;
  /** The hash of the record at the head, as it is now. */
  kept: string | null;
}

/** Pruning leaves the record at the head alone, so that it is there. */
function isWhole(macs: ChainMacs, { chain, headSeq, headHash, headAt, headMac, kept }: MovedChain): boolean {
  if (headSeq === null) return true;
  const mark = { chain, seq: headSeq, hash: headHash ?? "", at: headAt ?? "" };
  return kept === headHash && macs.head(mark) === headMac;
}

async function writeHeads(db: Database, lease: Lease, macs: ChainMacs, page: readonly MovedChain[]): Promise<void> {
  const whole = page.filter((each) => isWhole(macs, each));
  if (whole.length === 0) return;
  const at = new Date(db.now()).toISOString();
  await db.inTransaction(lease, async (tx) => {
    for (const { chain, seq, hash } of whole) {
      const mark = { chain, seq, hash, at };
      tx.write(putHead, { ...mark, mac: macs.head(mark) });
    }
  });
}

const movedChains = defineQuery((db, p: { after: string; limit: number }) =>
  db
    .selectFrom("counters as c")
    .leftJoin("audit_heads as h", (join) => join.on(sql<boolean>`h.chain = ${CHAIN_OF_COUNTER}`))
    .leftJoin("audit_records as r", (join) => join.onRef("r.chain", "=", "h.chain").onRef("r.seq", "=", "h.seq"))
    .select([
      "c.name as name",
      CHAIN_OF_COUNTER.as("chain"),
      "c.audit_seq as seq",
      "c.audit_hash as hash",
      "h.seq as headSeq",
      "h.hash as headHash",
      "h.at as headAt",
      "h.mac as headMac",
      "r.hash as kept",
    ])
    .where("c.name", ">", p.after)
    .where("c.audit_seq", ">", 0)
    .where(sql<boolean>`(h.seq is null or c.audit_seq <> h.seq or c.audit_hash <> h.hash)`)
    .orderBy("c.name")
    .limit(p.limit),
);

const putHead = defineQuery((db, p: { chain: string; seq: number; hash: string; at: string; mac: string }) =>
  db
    .insertInto("audit_heads")
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

/**
 * Heads of chains, which one node signs every minute. Whoever can write the database can compute a new chain, but not sign it:
 * a chain is signed further only while the record at its last signed head is still that one, and while nothing that was signed
 * or given to a sink is missing.
 */
import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { AppError } from "../errors.ts";
import { type Lease, newHolder, takeLease } from "../storage/feed/lease.ts";
import { defineQuery } from "../storage/reads/query.ts";
import { type Background, startBackground } from "../storage/operator/removal.ts";
import { CHAIN_OF_COUNTER } from "./chains.ts";
import { createChainMacs, type ChainMacs } from "./macs.ts";
import { createSignedMarks, type SignedMarks } from "./signed-marks.ts";

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
  const signed = createSignedMarks();
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
      const whole = page.filter((moved) => isWhole(macs, signed, moved));
      for (const each of page.filter((moved) => !whole.includes(moved))) {
        found += 1;
        if (found <= MOST_TOLD) onBroken(each.chain, each.headSeq ?? 0);
      }
      await writeHeads(db, lease, macs, whole);
      for (const each of whole) signed.note(each.chain, each);
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
  /** The last record, and the last head, that a sink was given; null where none was. */
  givenSeq: number | null;
  givenHead: number | null;
}

/** Pruning leaves the record at the head alone, so that it is there. */
function isWhole(
  macs: ChainMacs,
  signed: SignedMarks,
  { chain, seq, headSeq, headHash, headAt, headMac, kept, givenSeq, givenHead }: MovedChain,
): boolean {
  // A sink was given what is not there any more.
  if (seq < (givenSeq ?? 0) || (headSeq ?? 0) < (givenHead ?? 0)) return false;
  if (headSeq === null) return signed.agrees(chain, undefined);
  const mark = { chain, seq: headSeq, hash: headHash ?? "", at: headAt ?? "" };
  return signed.agrees(chain, mark) && kept === headHash && macs.head(mark) === headMac;
}

async function writeHeads(db: Database, lease: Lease, macs: ChainMacs, whole: readonly MovedChain[]): Promise<void> {
  if (whole.length === 0) return;
  const at = new Date(db.now()).toISOString();
  await db.inTransaction(lease, async (tx) => {
    tx.unrecorded("a head is signed, which adds nothing to its chain");
    for (const { chain, seq, hash } of whole) {
      const mark = { chain, seq, hash, at };
      tx.write(putHead, { ...mark, mac: macs.head(mark) });
    }
  });
}

/**
 * The most of what sinks were given of a chain. Their positions are found by both parts of their key: the order that a cross join
 * keeps on SQLite, which else reads all positions for each chain.
 */
const given = (column: "seq" | "head_seq") => sql<number | null>`(select max(p.${sql.ref(column)}) from audit_sinks s
  cross join audit_positions p where p.sink = s.sink and p.chain = ${CHAIN_OF_COUNTER})`;

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
      given("seq").as("givenSeq"),
      given("head_seq").as("givenHead"),
    ])
    .where("c.name", ">", p.after)
    .where(
      sql<boolean>`(c.audit_seq > 0 and (h.seq is null or c.audit_seq <> h.seq or c.audit_hash <> h.hash)
        or c.audit_seq < ${given("seq")})`,
    )
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

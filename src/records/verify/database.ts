/** Whether the chains of a database are what was written. It may be in use meanwhile. */
import type { AuditRow } from "../../storage/proofs/audit-chain.ts";
import type { Reader } from "../../storage/database.ts";
import { readRecords } from "../chains.ts";
import type { AuditHead } from "../line.ts";
import type { ChainMacs } from "../macs.ts";
import { cutOff, type ChainFinding, type KnownRecord, rewritten } from "./finding.ts";
import { type ChainFacts, listCounted, listNamed, readChainCounter, readCut, readFacts } from "./store.ts";
import { startWalk, type Walk } from "./walk.ts";

const PAGE = 500;
/** Records that are read at a time: each may be as long as a request. */
const ROWS = 64;
/** A head is signed every minute; after so long one is missed. */
const UNSIGNED_MS = 5 * 60 * 1000;
/** As often a chain is begun anew that is pruned while it is walked. */
const MOST_TRIES = 10;

export interface VerifiedDatabase {
  db: Reader;
  macs: ChainMacs;
  now: () => number;
}

export interface Verification {
  chains: number;
  records: number;
  /** Records of whole chains that no signed head vouches for yet. */
  unsigned: number;
}

export interface VerifyOptions {
  /** The first record of a chain that is not what was written. */
  onFinding: (finding: ChainFinding) => void;
  /** The head of a chain that is whole, signed now. */
  onWhole: (head: AuditHead) => void;
}

/** Walks all chains. @param saved heads that somebody has kept elsewhere, by chain */
export async function verifyDatabase(
  source: VerifiedDatabase,
  saved: ReadonlyMap<string, AuditHead>,
  { onFinding, onWhole }: VerifyOptions,
): Promise<Verification> {
  const sum: Verification = { chains: 0, records: 0, unsigned: 0 };
  const headless: Headless[] = [];
  let newest = "";
  const left = new Set(saved.keys());
  const verify = async (chain: string): Promise<void> => {
    left.delete(chain);
    const found = await verifyChain(source, chain, saved.get(chain));
    sum.chains += 1;
    sum.records += found.records;
    if (found.newest > newest) newest = found.newest;
    if ("finding" in found) return onFinding(found.finding);
    if (found.headless !== undefined) return void headless.push(found.headless);
    sum.unsigned += found.unsigned;
    onWhole(found.head);
  };
  for (let after = ""; ;) {
    const page = await listCounted(source.db, after, PAGE);
    for (const { chain } of page) await verify(chain);
    if (page.length < PAGE) break;
    after = page.at(-1)?.name ?? "";
  }
  // Chains that no counter knows, or that none knew when the counters were read.
  for (let after = ""; ;) {
    const page = await listNamed(source.db, after, PAGE);
    for (const { chain } of page) {
      if (chain !== null && (await readChainCounter(source.db, chain)) === undefined) await verify(chain);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)?.chain ?? "";
  }
  for (const chain of left) await verify(chain);
  for (const { finding, since, head } of headless) {
    if (Date.parse(since) < Date.parse(newest) - UNSIGNED_MS) onFinding(finding);
    else {
      sum.unsigned += head.seq;
      onWhole(head);
    }
  }
  return sum;
}

/**
 * A chain that has no head. That one is missed is known when all chains have been read: by the clock, a database of which the
 * server was killed, or that was restored and has not been served yet, would seem to miss some.
 */
interface Headless {
  finding: ChainFinding;
  /** When its first record was made. */
  since: string;
  head: AuditHead;
}

type Verified = {
  records: number;
  /** The newest time in it that a server was at work; empty where there is none. */
  newest: string;
} & ({ finding: ChainFinding } | { unsigned: number; head: AuditHead; headless?: Headless });

async function verifyChain(source: VerifiedDatabase, chain: string, saved: AuditHead | undefined): Promise<Verified> {
  for (let tries = 1; ; tries++) {
    const facts = await readFacts(source.db, chain);
    const found = await walkChain(source, chain, facts, saved);
    if (!("finding" in found) || tries === MOST_TRIES) return found;
    // Records may have been pruned meanwhile, which is not a fault: then the chain is read again.
    if ((await readCut(source.db, chain))?.seq === facts.cut?.seq) return found;
  }
}

async function walkChain(
  { db, macs, now }: VerifiedDatabase,
  chain: string,
  { head, cut, counter = { seq: 0, hash: "" }, given }: ChainFacts,
  saved: AuditHead | undefined,
): Promise<Verified> {
  const newestOf = (at: string): string => (head !== undefined && head.at > at ? head.at : at);
  const fail = (records: number, seq: number, why: string, at = ""): Verified => ({
    records,
    newest: newestOf(""),
    finding: { chain, seq, at, why },
  });
  if (cut !== undefined && macs.cut(cut) !== cut.mac)
    return fail(0, cut.seq + 1, "has an unsigned start: earlier records were deleted");
  const isSigned = head !== undefined && macs.head(head) === head.mac;
  const marks = [...(isSigned ? [{ ...head, how: "signed" }] : []), ...(saved ? [{ ...saved, how: "saved" }] : [])];
  const begin = { seq: cut?.seq ?? 0, hash: cut?.hash ?? "" };
  // Pruned records were before the head, which has only moved forward since.
  if (cut !== undefined && isSigned && head.seq <= cut.seq)
    return fail(0, head.seq, "has an old head: a newer head was deleted", head.at);
  const wrong = marks.find(({ seq, hash }) => seq === begin.seq && hash !== begin.hash);
  if (wrong !== undefined) return fail(0, begin.seq, rewritten(wrong), cut?.at);

  const walk = startWalk(chain, begin, marks);
  const walked = await walkRecords(db, chain, walk, counter.seq);
  const records = walk.place.seq - begin.seq;
  const newest = newestOf(walked.newest);
  if (walked.finding !== undefined) return { records, newest, finding: walked.finding };
  const end = await findAtEnd(db, chain, { place: walk.place, counter, marks });
  if (end !== undefined) return { records, newest, finding: end };
  if (head !== undefined && !isSigned)
    return fail(records, head.seq, "has a head that no server has signed: the head was modified", head.at);
  if (counter.seq < given.seq) return fail(records, counter.seq + 1, cutOff(given.seq, "a sink has received"));
  if ((head?.seq ?? 0) < given.headSeq)
    return fail(records, given.headSeq, "had a signed head that a sink has received: the head was deleted");
  const mark = { chain, ...walk.place, at: new Date(now()).toISOString() };
  const signed = { ...mark, mac: macs.head(mark) };
  if (head !== undefined) return { records, newest, unsigned: counter.seq - head.seq, head: signed };
  const why = "has no signed head, and no earlier record has one: none was created, or it was deleted";
  if (cut !== undefined) return fail(records, counter.seq, why);
  const headless = { finding: { chain, seq: counter.seq, at: "", why }, since: walked.since, head: signed };
  return { records, newest, unsigned: counter.seq, head: signed, headless };
}

/** @param last the record to which the counter has the chain @returns also when the first record was made, and the newest */
async function walkRecords(
  db: Reader,
  chain: string,
  walk: Walk,
  last: number,
): Promise<{ finding: ChainFinding | undefined; since: string; newest: string }> {
  let [since, newest] = ["", ""];
  while (walk.place.seq < last) {
    const rows = await readRecords(db, chain, walk.place.seq, ROWS);
    since ||= rows[0]?.at ?? "";
    for (const row of rows) {
      if (walk.place.seq === last) break;
      // Behind the last that there should be: the one before is missing.
      const finding = row.seq > last ? undefined : walk.step(row);
      if (finding !== undefined) return { finding, since, newest };
      if (row.seq > last) return { finding: undefined, since, newest };
      if (row.at > newest && !isArrival(row)) newest = row.at;
    }
    if (rows.length === 0) break;
  }
  return { finding: undefined, since, newest };
}

/**
 * Whether the record is from the command that created the database. No server signs anything of it before it is
 * started.
 */
function isArrival({ chain, kind, action }: AuditRow): boolean {
  return chain === "root" && kind === "database" && (action === "restore" || action === "move");
}

interface End {
  place: Walk["place"];
  counter: { seq: number; hash: string };
  marks: readonly KnownRecord[];
}

/** Returns the fault at the end of a chain whose records were right. */
async function findAtEnd(db: Reader, chain: string, { place, counter, marks }: End): Promise<ChainFinding | undefined> {
  const found = (seq: number, why: string, at = ""): ChainFinding => ({ chain, seq, at, why });
  const beyond = marks.toSorted((a, b) => b.seq - a.seq).find(({ seq }) => seq > Math.max(place.seq, counter.seq));
  if (beyond !== undefined)
    return found(place.seq + 1, cutOff(beyond.seq, `had its head ${beyond.how} at ${beyond.at}`));
  if (place.seq < counter.seq) return found(place.seq + 1, cutOff(counter.seq, "its counter knows"));
  if (place.hash !== counter.hash)
    return found(place.seq, "does not match the last record of the counter of its chain");
  const [next] = await readRecords(db, chain, place.seq, 1);
  if (next === undefined) return undefined;
  const known = (await readChainCounter(db, chain))?.seq ?? 0;
  return known >= next.seq ? undefined : found(next.seq, "was inserted: no counter contains it", next.at);
}

/** Whether the chains of a database are what was written. It may be in use meanwhile. */
import type { Reader } from "../../storage/database.ts";
import { readRecords } from "../chains.ts";
import type { AuditHead } from "../line.ts";
import type { ChainMacs } from "../macs.ts";
import { cutOff, type Finding, type Mark, rewritten } from "./finding.ts";
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

export interface Told {
  /** The first record of a chain that is not what was written. */
  onFinding: (finding: Finding) => void;
  /** The head of a chain that is whole, signed now. */
  onWhole: (head: AuditHead) => void;
}

/** Walks all chains. @param saved heads that somebody has kept elsewhere, by chain */
export async function verifyDatabase(
  source: VerifiedDatabase,
  saved: ReadonlyMap<string, AuditHead>,
  { onFinding, onWhole }: Told,
): Promise<Verification> {
  const sum: Verification = { chains: 0, records: 0, unsigned: 0 };
  const left = new Set(saved.keys());
  const verify = async (chain: string): Promise<void> => {
    left.delete(chain);
    const found = await verifyChain(source, chain, saved.get(chain));
    sum.chains += 1;
    sum.records += found.records;
    if ("finding" in found) return onFinding(found.finding);
    sum.unsigned += found.unsigned;
    onWhole(found.head);
  };
  for (let after = ""; ;) {
    const page = await listCounted(source.db, after, PAGE);
    for (const { chain } of page) await verify(chain);
    if (page.length < PAGE) break;
    after = page.at(-1)?.name ?? "";
  }
  // Those that no counter knows, or did not when it was asked.
  for (let after = ""; ;) {
    const page = await listNamed(source.db, after, PAGE);
    for (const { chain } of page) {
      if (chain !== null && (await readChainCounter(source.db, chain)) === undefined) await verify(chain);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)?.chain ?? "";
  }
  for (const chain of left) await verify(chain);
  return sum;
}

type Verified = { records: number } & ({ finding: Finding } | { unsigned: number; head: AuditHead });

async function verifyChain(source: VerifiedDatabase, chain: string, saved: AuditHead | undefined): Promise<Verified> {
  for (let tries = 1; ; tries++) {
    const facts = await readFacts(source.db, chain);
    const found = await walkChain(source, chain, facts, saved);
    if (!("finding" in found) || tries === MOST_TRIES) return found;
    // What was pruned meanwhile has not been taken out.
    if ((await readCut(source.db, chain))?.seq === facts.cut?.seq) return found;
  }
}

async function walkChain(
  { db, macs, now }: VerifiedDatabase,
  chain: string,
  { head, cut, counter = { seq: 0, hash: "" } }: ChainFacts,
  saved: AuditHead | undefined,
): Promise<Verified> {
  const fail = (records: number, seq: number, why: string, at = ""): Verified => ({
    records,
    finding: { chain, seq, at, why },
  });
  if (cut !== undefined && macs.cut(cut) !== cut.mac)
    return fail(0, cut.seq + 1, "is behind a cut that no server has signed: what was before it was taken out");
  const isSigned = head !== undefined && macs.head(head) === head.mac;
  const marks = [...(isSigned ? [{ ...head, how: "signed" }] : []), ...(saved ? [{ ...saved, how: "saved" }] : [])];
  const begin = { seq: cut?.seq ?? 0, hash: cut?.hash ?? "" };
  // What was pruned lay before the head, which has only moved on since.
  if (cut !== undefined && isSigned && head.seq <= cut.seq)
    return fail(0, head.seq, "has an old head: a newer one was taken out", head.at);
  const wrong = marks.find(({ seq, hash }) => seq === begin.seq && hash !== begin.hash);
  if (wrong !== undefined) return fail(0, begin.seq, rewritten(wrong), cut?.at);

  const walk = startWalk(chain, begin, marks);
  const walked = await walkRecords(db, chain, walk, counter.seq);
  const records = walk.place.seq - begin.seq;
  if (walked.finding !== undefined) return { records, finding: walked.finding };
  const end = await findAtEnd(db, chain, { place: walk.place, counter, marks });
  if (end !== undefined) return { records, finding: end };
  if (head !== undefined && !isSigned)
    return fail(records, head.seq, "has a head that no server has signed: the head was changed", head.at);
  const isOld = cut !== undefined || Date.parse(walked.since) < now() - UNSIGNED_MS;
  if (head === undefined && isOld)
    return fail(records, counter.seq, "has no signed head, nor has any before it: none was made, or it was taken out");
  const mark = { chain, ...walk.place, at: new Date(now()).toISOString() };
  return { records, unsigned: counter.seq - (head?.seq ?? 0), head: { ...mark, mac: macs.head(mark) } };
}

/** @param last the record to which the counter has the chain @returns also when the first record was made */
async function walkRecords(
  db: Reader,
  chain: string,
  walk: Walk,
  last: number,
): Promise<{ finding: Finding | undefined; since: string }> {
  let since = "";
  while (walk.place.seq < last) {
    const rows = await readRecords(db, chain, walk.place.seq, ROWS);
    since ||= rows[0]?.at ?? "";
    for (const row of rows) {
      if (walk.place.seq === last) break;
      // Behind the last that there should be: the one before is missing.
      const finding = row.seq > last ? undefined : walk.step(row);
      if (finding !== undefined) return { finding, since };
      if (row.seq > last) return { finding: undefined, since };
    }
    if (rows.length === 0) break;
  }
  return { finding: undefined, since };
}

interface End {
  place: Walk["place"];
  counter: { seq: number; hash: string };
  marks: readonly Mark[];
}

/** What is wrong at the end of a chain whose records were right. */
async function findAtEnd(db: Reader, chain: string, { place, counter, marks }: End): Promise<Finding | undefined> {
  const found = (seq: number, why: string, at = ""): Finding => ({ chain, seq, at, why });
  const beyond = marks.toSorted((a, b) => b.seq - a.seq).find(({ seq }) => seq > Math.max(place.seq, counter.seq));
  if (beyond !== undefined)
    return found(place.seq + 1, cutOff(beyond.seq, `had its head ${beyond.how} at ${beyond.at}`));
  if (place.seq < counter.seq) return found(place.seq + 1, cutOff(counter.seq, "its counter knows"));
  if (place.hash !== counter.hash) return found(place.seq, "is not the last one that the counter of its chain knows");
  const [next] = await readRecords(db, chain, place.seq, 1);
  if (next === undefined) return undefined;
  const known = (await readChainCounter(db, chain))?.seq ?? 0;
  return known >= next.seq ? undefined : found(next.seq, "was put in: no counter knows of it", next.at);
}

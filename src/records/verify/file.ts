/**
 * Whether the chains of files of audit records are what was written: those that `--audit-file` writes, where a record may come
 * again, and exports, which have the newest first. Of each chain no more than two records are kept.
 */
import { type AuditRow, chainHash } from "../../storage/proofs/audit-chain.ts";
import type { AuditHead } from "../line.ts";
import { CHANGED, cutOff, type ChainFinding, type KnownRecord, rewritten } from "./finding.ts";
import { linesOf, readHeads } from "./lines.ts";
import { createRecent, type Recent } from "./recent.ts";
import { startWalk, type Walk } from "./walk.ts";

export interface FileVerification {
  chains: number;
  records: number;
  /** Chains that begin later than with their first record: what was before, nobody knows. */
  begunLater: number;
}

export interface FileTold {
  onFinding: (finding: ChainFinding) => void;
  /** The last record of a chain that is right. */
  onWhole: (head: AuditHead) => void;
}

/** State of a chain. */
interface FileChain {
  /** The first record that came. Its own hash is checked when the one before it comes, or is known. */
  low: AuditRow;
  /** From there on. */
  walk: Walk;
  /** Records that came before, and come again. */
  again: Walk | undefined;
  /** When the last one was made. */
  at: string;
  finding: ChainFinding | undefined;
}

/**
 * Reads files, the oldest first.
 *
 * @param saved heads that somebody has kept elsewhere, by chain
 * @throws StartError when a file cannot be read, or holds something else
 */
export async function verifyFiles(
  paths: readonly string[],
  saved: ReadonlyMap<string, AuditHead>,
  { onFinding, onWhole }: FileTold,
): Promise<FileVerification> {
  const chains = new Map<string, FileChain>();
  const own = await readHeads(paths);
  const recent = createRecent();
  let records = 0;
  for await (const line of linesOf(paths)) {
    if (line.type !== "record") continue;
    const { record } = line;
    const known = chains.get(record.chain);
    records += 1;
    if (known === undefined) chains.set(record.chain, beginChain(record, marksOf(record.chain, own, saved)));
    else if (known.finding === undefined) known.finding = goOn(known, record, recent);
  }
  let begunLater = 0;
  for (const chain of new Set([...chains.keys(), ...own.keys(), ...saved.keys()])) {
    const known = chains.get(chain);
    const finding = endOf(chain, known, marksOf(chain, own, saved));
    if (known !== undefined && known.low.seq > 1) begunLater += 1;
    if (finding !== undefined) onFinding(finding);
    else if (known !== undefined) onWhole({ chain, ...known.walk.place, at: known.at, mac: "" });
  }
  return { chains: chains.size, records, begunLater };
}

function marksOf(
  chain: string,
  own: ReadonlyMap<string, AuditHead>,
  saved: ReadonlyMap<string, AuditHead>,
): readonly KnownRecord[] {
  const mark = (head: AuditHead | undefined, how: string): KnownRecord[] =>
    head === undefined ? [] : [{ ...head, how }];
  return [...mark(own.get(chain), "signed"), ...mark(saved.get(chain), "saved")];
}

function beginChain(record: AuditRow, marks: readonly KnownRecord[]): FileChain {
  const { chain, seq, hash, at } = record;
  const before = seq === 1 ? { hash: "" } : marks.find((mark) => mark.seq === seq - 1);
  const wrong = marks.find((mark) => mark.seq === seq && mark.hash !== hash);
  const finding =
    (before && startWalk(chain, { seq: seq - 1, hash: before.hash }, marks).step(record)) ??
    (wrong && { chain, seq, at, why: rewritten(wrong) });
  return { low: record, walk: startWalk(chain, { seq, hash }, marks), again: undefined, at, finding };
}

function goOn(known: FileChain, record: AuditRow, recent: Recent): ChainFinding | undefined {
  const { chain, seq, hash, at } = record;
  const { place } = known.walk;
  if (seq > place.seq) {
    const before = place.hash;
    const finding = known.walk.step(record);
    known.again = undefined;
    known.at = at;
    recent.note(chain, seq, { hash, before });
    return finding;
  }
  // An export goes back in time.
  if (seq === known.low.seq - 1) {
    const later = startWalk(chain, { seq, hash }, []).step(known.low);
    known.low = record;
    return later ?? (seq === 1 ? startWalk(chain, { seq: 0, hash: "" }, []).step(record) : undefined);
  }
  if (seq < known.low.seq) return { chain, seq: seq + 1, at: "", why: "was deleted, or is missing in the export" };
  return comeAgain(known, record, recent);
}

/**
 * A sink is given the same once more when nobody knows whether it has it: what came lately, or all from the first record of the
 * file on. Whatever else comes again was put in.
 */
function comeAgain(known: FileChain, record: AuditRow, recent: Recent): ChainFinding | undefined {
  const { hash, ...content } = record;
  const { chain, seq, at } = record;
  const { place } = known.walk;
  const came = recent.find(chain, seq);
  const isFirst = seq === known.low.seq && JSON.stringify(record) === JSON.stringify(known.low);
  if (came === undefined && !isFirst && known.again?.place.seq === seq - 1) {
    const wrong = known.again.step(record);
    if (wrong !== undefined || seq < place.seq || hash === place.hash) return wrong;
    return { chain, seq, at, why: CHANGED };
  }
  const isSame = came === undefined ? isFirst : came.hash === hash && chainHash(came.before, content) === hash;
  if (!isSame) return { chain, seq, at, why: "was modified or inserted: another record with this number came first" };
  known.again = startWalk(chain, { seq, hash }, []);
  return undefined;
}

function endOf(chain: string, known: FileChain | undefined, marks: readonly KnownRecord[]): ChainFinding | undefined {
  if (known?.finding !== undefined) return known.finding;
  const last = known?.walk.place.seq ?? 0;
  const beyond = marks.toSorted((a, b) => b.seq - a.seq).find(({ seq }) => seq > last);
  if (beyond === undefined) return undefined;
  return { chain, seq: last + 1, at: "", why: cutOff(beyond.seq, `had its head ${beyond.how} at ${beyond.at}`) };
}

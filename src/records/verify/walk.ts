/** The walk along one chain: each record has to be the one behind the one before, with the hash of what it holds. */
import { type AuditRow, chainHash, type ChainHead } from "../../storage/proofs/audit-chain.ts";
import { CHANGED, type ChainFinding, type KnownRecord, rewritten, takenOut } from "./finding.ts";

export interface Walk {
  /** The last record that was right. */
  readonly place: ChainHead;
  /** @returns what is wrong with a record; from then on nothing is known of the chain */
  step(row: AuditRow): ChainFinding | undefined;
}

/**
 * Begins a walk.
 *
 * @param chain its name @param from the record before the first; 0 and empty at the beginning of the chain
 * @param marks what is known of some of the records
 */
export function startWalk(chain: string, from: ChainHead, marks: readonly KnownRecord[]): Walk {
  const place = { ...from };
  return {
    place,
    step(row) {
      const found = (seq: number, why: string, at = row.at): ChainFinding => ({ chain, seq, at, why });
      if (row.seq !== place.seq + 1) return found(place.seq + 1, takenOut(row.seq), "");
      const { hash, ...content } = row;
      if (content.chain !== chain || chainHash(place.hash, content) !== hash) return found(row.seq, CHANGED);
      const wrong = marks.find((mark) => mark.seq === row.seq && mark.hash !== hash);
      if (wrong !== undefined) return found(row.seq, rewritten(wrong));
      Object.assign(place, { seq: row.seq, hash });
      return undefined;
    },
  };
}

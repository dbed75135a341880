/**
 * Batch of lines for a sink: lines of several chains, each in its order, and the place that each chain reaches with
 * them.
 */
import type { AuditRow } from "../../storage/proofs/audit-chain.ts";
import { headLine } from "../line.ts";
import type { PendingChain } from "./store.ts";

/** Limits of one delivery. A record that is larger is delivered alone. */
const MOST_LINES = 500;
const MOST_BYTES = 512 * 1024;

/** Position of a chain. */
interface Place {
  chain: string;
  seq: number;
  headSeq: number;
}

export interface SinkBatch {
  readonly lines: readonly string[];
  readonly places: readonly Place[];
  isFull(): boolean;
  /** Whether one more line would be too much. */
  hasRoomFor(bytes: number): boolean;
  addRecord(chain: PendingChain, row: AuditRow, line: string): void;
  /** The newest head of a chain, when it has not been given and all up to it has. */
  addHead(chain: PendingChain): void;
  /** Goes on to a place without giving anything. */
  skipTo(chain: PendingChain, seq: number): void;
}

export function createBatch(): SinkBatch {
  const lines: string[] = [];
  const places = new Map<string, Place>();
  let bytes = 0;

  function placeOf({ chain, seq, headSeq }: PendingChain): Place {
    const known = places.get(chain);
    if (known !== undefined) return known;
    const made = { chain, seq, headSeq };
    places.set(chain, made);
    return made;
  }

  function add(line: string): void {
    lines.push(line);
    bytes += Buffer.byteLength(line) + 1;
  }

  return {
    lines,
    get places() {
      return [...places.values()];
    },
    isFull: () => lines.length >= MOST_LINES || bytes >= MOST_BYTES,
    hasRoomFor: (more) => lines.length === 0 || (lines.length < MOST_LINES && bytes + more <= MOST_BYTES),
    addRecord(chain, row, line) {
      placeOf(chain).seq = row.seq;
      add(line);
    },
    addHead(chain) {
      const { head } = chain;
      const place = placeOf(chain);
      if (head === undefined || head.seq <= place.headSeq || head.seq > place.seq) return;
      place.headSeq = head.seq;
      add(headLine({ chain: chain.chain, ...head }));
    },
    skipTo(chain, seq) {
      placeOf(chain).seq = seq;
    },
  };
}

/**
 * Maximum number of lines between a record of the files and its repetition. No more records are kept for comparison.
 */
const MOST = 65_536;

export interface Recent {
  note(chain: string, seq: number, hashes: Hashes): void;
  find(chain: string, seq: number): Hashes | undefined;
}

/** Hashes of a record and of the record before it. */
export interface Hashes {
  hash: string;
  before: string;
}

export function createRecent(): Recent {
  const kept = new Map<string, Hashes>();
  const keyOf = (chain: string, seq: number) => `${seq} ${chain}`;
  return {
    note(chain, seq, hashes) {
      kept.set(keyOf(chain, seq), hashes);
      if (kept.size <= MOST) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    },
    find: (chain, seq) => kept.get(keyOf(chain, seq)),
  };
}

/** What came lately of files, for when it comes again: so many lines may lie between, and no more are kept. */
const MOST = 65_536;

export interface Recent {
  note(chain: string, seq: number, hashes: Hashes): void;
  find(chain: string, seq: number): Hashes | undefined;
}

/** Of a record, and of the one before it. */
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

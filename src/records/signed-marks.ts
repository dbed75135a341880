/**
 * Remembers the marks that this process has signed for each chain. A writer of the database can remove a head from it,
 * or put an old one back, but cannot change this memory.
 */

export interface SignedMark {
  seq: number;
  hash: string;
}

export interface SignedMarks {
  /** Notes what was signed, or found signed. */
  note(chain: string, mark: SignedMark): void;
  /** Whether the head that there is now is that one, or a later one. @param head undefined where there is none */
  agrees(chain: string, head: SignedMark | undefined): boolean;
}

/** Some 10 MiB: of more chains those that have moved lately are remembered. */
const MOST = 65_536;

export function createSignedMarks(most = MOST): SignedMarks {
  const kept = new Map<string, SignedMark>();
  return {
    note(chain, { seq, hash }) {
      kept.delete(chain);
      kept.set(chain, { seq, hash });
      if (kept.size <= most) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    },
    agrees(chain, head) {
      const known = kept.get(chain);
      if (known === undefined) return true;
      if (head === undefined || head.seq < known.seq) return false;
      return head.seq > known.seq || head.hash === known.hash;
    },
  };
}

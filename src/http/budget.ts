/** Bytes that may be in the memory at once for something that many share. */
export interface Budget {
  /** Takes bytes, unless that would be too many. @returns whether it did */
  take(bytes: number): boolean;
  /** Takes bytes whatever the limit: of what has to be done in any case. */
  force(bytes: number): void;
  /** Gives back what was taken. */
  give(bytes: number): void;
  used(): number;
  /** How often there was no room since the start. */
  refused(): number;
}

export function createBudget(limit: number): Budget {
  let used = 0;
  let refused = 0;
  return {
    take(bytes) {
      if (used + bytes > limit) {
        refused += 1;
        return false;
      }
      used += bytes;
      return true;
    },
    force(bytes) {
      used += bytes;
    },
    give(bytes) {
      used -= bytes;
    },
    used: () => used,
    refused: () => refused,
  };
}

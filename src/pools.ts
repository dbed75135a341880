/**
 * All that callers share and that can be used up: of each, how much there is, and what of it one caller cannot take from the
 * others. What bounds work of several callers names its entry, so that nothing is added that has none; `docs/limits.md` shows
 * them all, as a test holds.
 */

interface PoolEntry {
  /** As the table names it. */
  readonly resource: string;
  /** What there is of it for all, as the table says it. */
  readonly forAll: string;
  /** What is kept of it for others, as the table says it. */
  readonly kept: string;
  /** How much there is where nothing else is configured; absent where that is never so, or it is not counted as one. */
  readonly size?: number;
}

const MIB = 1024 * 1024;
/** Kept by `createPool`. */
export const LAST_QUARTER = "the last quarter";

/** By the names that the code has for them. */
export const POOLS = {
  sending: {
    resource: "bytes of answers over 16 KiB that are being sent",
    forAll: "256 MiB, `--max-sending`",
    kept: LAST_QUARTER,
    size: 256 * MIB,
  },
  receiving: {
    resource: "bytes of request bodies of 16 KiB and more in work",
    forAll: "128 MiB",
    kept: `${LAST_QUARTER}; 16 MiB of one token, or of one address without one; half of all for tokens`,
    size: 128 * MIB,
  },
} as const satisfies Readonly<Record<string, PoolEntry>>;

export type PoolName = keyof typeof POOLS;

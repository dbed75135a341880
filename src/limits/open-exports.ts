/** Exports that are being sent: each holds a slice of what it reads for as long as its client takes. */
import { AppError } from "../errors.ts";
import { createPool, poolRefusalText, type PoolHolder, type PoolRefusal } from "../shared-pool.ts";

export interface OpenExports {
  /**
   * Counts one more.
   *
   * @param holder who asks
   * @param isOutside whether it asks for no share, and is only bound by what one token may have: management, which sees to the rest
   * @returns a function that takes it off again, to be called once
   * @throws AppError `rate_limited` when there are too many already
   */
  enter(holder: PoolHolder, isOutside: boolean): () => void;
  /** How many there are. */
  count(): number;
}

export interface OpenExportLimits {
  ofOwner: number;
  all: number;
}

/** @param limits how many may be open at once */
export function createOpenExports({ ofOwner, all }: OpenExportLimits): OpenExports {
  const pool = createPool("exports", all);
  const refused = (whose: string, why: PoolRefusal) =>
    new AppError("rate_limited", poolRefusalText(`Too many exports ${whose}`, why), { retryAfterSeconds: 1 });
  return {
    enter(holder, isOutside) {
      if (pool.heldBy(holder.name) >= ofOwner) throw refused("of one token", "full");
      if (isOutside) pool.force(holder);
      else {
        const refusal = pool.take(holder);
        if (refusal !== undefined) throw refused("in total", refusal);
      }
      return () => pool.give(holder);
    },
    count: () => pool.used(),
  };
}

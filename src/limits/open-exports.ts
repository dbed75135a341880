/** Exports that are being sent: each holds a slice of what it reads for as long as its client takes. */
import { AppError } from "../errors.ts";

export interface OpenExports {
  /**
   * Counts one more.
   *
   * @param owner the AccessorID of who asks
   * @returns a function that takes it off again, to be called once
   * @throws AppError `rate_limited` when there are too many already
   */
  enter(owner: string): () => void;
  /** How many there are. */
  count(): number;
}

export interface OpenExportLimits {
  ofOwner: number;
  all: number;
}

/** @param limits how many may be open at once */
export function createOpenExports({ ofOwner, all }: OpenExportLimits): OpenExports {
  const counts = new Map<string, number>();
  let open = 0;
  return {
    enter(owner) {
      const count = counts.get(owner) ?? 0;
      if (count >= ofOwner || open >= all) {
        const whose = count >= ofOwner ? "of one token" : "at once";
        throw new AppError("rate_limited", `Too many exports ${whose}, try again later`, { retryAfterSeconds: 1 });
      }
      counts.set(owner, count + 1);
      open += 1;
      return () => {
        open -= 1;
        const left = (counts.get(owner) ?? 1) - 1;
        if (left === 0) counts.delete(owner);
        else counts.set(owner, left);
      };
    },
    count: () => open,
  };
}

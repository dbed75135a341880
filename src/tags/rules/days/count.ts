/** Counts the coverage of required keys for a day; see `keep.ts`. */
import type { ApartWork } from "../../../storage/database.ts";
import { countKeys, type Counting } from "../coverage.ts";
import type { KeyCoverage } from "../as-json.ts";

/** Coverage of a key as it is kept. */
export type KeptCoverage = Pick<KeyCoverage, "key" | "workspaces" | "missing" | "withoutValue" | "valueCount">;

/** Keys of an organization that are kept for a day. */
export const MOST_KEYS = 100;

/** The keys that most workspaces lack, at most as many as are kept. */
export const COVERAGE_OF_DAY: ApartWork<Counting, KeptCoverage[]> = {
  name: "coverage of required keys for a day",
  async run(source, counting) {
    const { found } = await countKeys(source, counting);
    return found.slice(0, MOST_KEYS).map(({ key, workspaces, missing, withoutValue, valueCount }) => ({
      key,
      workspaces,
      missing,
      withoutValue,
      valueCount,
    }));
  },
};

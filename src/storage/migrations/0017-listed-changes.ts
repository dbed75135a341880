import type { Migration } from "./migration.ts";

/**
 * Lets a row of `changes` list many objects (`tags/changes/listed.ts`). An older program would take such a row for the record of one
 * object. The schema stays as it is.
 */
export const listedChanges: Migration = {
  name: "0017-listed-changes",
  phase: "contract",
  statements: () => [],
};

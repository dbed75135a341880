import type { Migration } from "./migration.ts";
import { changes } from "./0008-tags/changes.ts";
import { keyValues } from "./0008-tags/key-values.ts";
import { stateConsumers } from "./0008-tags/state-consumers.ts";
import { tagImports } from "./0008-tags/tag-imports.ts";
import { tagJobs } from "./0008-tags/tag-jobs.ts";
import { tagRules } from "./0008-tags/tag-rules.ts";

/** Keys and values, what is asked of tags, records of their changes, and who may read whose state: they came in one version. */
export const tags: Migration = {
  name: "0008-tags",
  statements: (dialect) =>
    [keyValues, stateConsumers, tagRules, changes, tagJobs, tagImports].flatMap((part) => part(dialect)),
};

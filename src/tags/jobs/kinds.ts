import { importWork } from "./imports/kind.ts";
import type { JobKinds } from "./job.ts";
import { poolWork, renameWork } from "./on-pool/work.ts";
import { undoWork } from "./undo/work.ts";
import { workspaceWork } from "./on-holders/work.ts";

/** Every kind of jobs is listed here, and only here. */
export const JOB_KINDS: JobKinds = {
  add: workspaceWork,
  remove: workspaceWork,
  "set-value": workspaceWork,
  rename: renameWork,
  merge: poolWork,
  delete: poolWork,
  undo: undoWork,
  import: importWork,
};

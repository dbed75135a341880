/** The table of jobs; part of `tables.ts`. */

import { integer, plain, text } from "./column.ts";

export const JOB_TABLES = {
  /** Work on the tags of an organization that is done in slices. See `tag-jobs/`. */
  tag_jobs: {
    id: text,
    organization_id: text,
    /**
     * AccessorID of the token, and ID of the request, that created the job. Each slice checks the permissions of this
     * token, and its changes are recorded for it.
     */
    accessor_id: text,
    request_id: text,
    /** 1 where who asked could write the organization then: others have less room. */
    by_writer: integer,
    /** Kind of work that the slices do; see `tag-jobs/kinds.ts`. */
    action: text,
    /** JSON: what was asked for. */
    input: text,
    status: plain<"queued" | "running" | "paused" | "cancelled" | "done" | "failed">(),
    /** Position at which the next slice continues, in the format of the kind; empty at the beginning. */
    place: text,
    /** How much there was to do when it began; -1 before. */
    total: integer,
    /** Number of objects that were processed, and number of these that were changed. */
    done: integer,
    changed: integer,
    /** JSON: what was looked at and refused, counted by the reason. */
    refused: text,
    /** JSON: how many of those that were changed break each rule that only advises, by its name. */
    warned: text,
    /** JSON: the first of those that were refused, in words. */
    errors: text,
    /** Why it failed; empty otherwise. */
    reason: text,
    created_at: text,
    /** Empty before. */
    started_at: text,
    updated_at: text,
    finished_at: text,
  },
};

/** Table of jobs; part of `tables.ts`. */

import { integer, plain, text } from "./column.ts";

export const JOB_TABLES = {
  /** Jobs on the tags of an organization, which run in slices. See `tag-jobs/`. */
  tag_jobs: {
    id: text,
    organization_id: text,
    /**
     * AccessorID of the token, and ID of the request, that created the job. Each slice checks the permissions of this
     * token, and its changes are recorded for it.
     */
    accessor_id: text,
    request_id: text,
    /** 1 for a caller that could write the organization then: others have less room. */
    by_writer: integer,
    /** Kind of work that the slices do; see `tags/jobs/kinds.ts`. */
    action: text,
    /** Request as JSON. */
    input: text,
    status: plain<"queued" | "running" | "paused" | "cancelled" | "done" | "failed">(),
    /** Position at which the next slice continues, in the format of the kind; empty at the beginning. */
    place: text,
    /** Number of objects to process when the job began; -1 before. */
    total: integer,
    /** Number of objects that were processed, and number of these that were changed. */
    done: integer,
    changed: integer,
    /** Numbers of rejected objects by reason, as JSON. */
    refused: text,
    /** Numbers of changed objects that violate each advisory rule, by the name of the rule, as JSON. */
    warned: text,
    /** Messages about the first rejected objects, as JSON. */
    errors: text,
    /** Reason of a failure; empty otherwise. */
    reason: text,
    created_at: text,
    /** Empty before the start. */
    started_at: text,
    updated_at: text,
    finished_at: text,
  },
};

/** The table of jobs; part of `tables.ts`. */

import { integer, plain, text } from "./column.ts";

export const JOB_TABLES = {
  /** Work on the tags of an organization that is done in slices. See `tag-jobs/`. */
  tag_jobs: {
    id: text,
    organization_id: text,
    /** Whose token asked for it, and in which request: each slice asks for its rights, and its changes are its own. */
    accessor_id: text,
    request_id: text,
    /** 1 where who asked could write the organization then: others have less room. */
    by_writer: integer,
    /** What its slices do; see `tag-jobs/kinds.ts`. */
    action: text,
    /** JSON: what was asked for. */
    input: text,
    status: plain<"queued" | "running" | "paused" | "cancelled" | "done" | "failed">(),
    /** Where the next slice goes on, as its kind writes it down; empty at the beginning. */
    place: text,
    /** How much there was to do when it began; -1 before. */
    total: integer,
    /** Of that: what was looked at, and what of it was changed. */
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

/** The tables of files that are imported; part of `tables.ts`. */

import { integer, text } from "./column.ts";

export const IMPORT_TABLES = {
  /** A file that was sent, or is being sent. See `tag-imports/`. */
  tag_imports: {
    id: text,
    organization_id: text,
    /** The job that takes it over; empty while it is received or shown. */
    job_id: text,
    /** 1 where who sent it could write the organization then: others have less room. */
    by_writer: integer,
    /** How many records it has. */
    records: integer,
    /** When the last of it came. */
    updated_at: text,
  },
  /** Records of the file, in its order. */
  tag_import_records: {
    import_id: text,
    /** From 1. */
    ordinal: integer,
    /** Kind and folded name: two records of one object are refused. */
    name: text,
    /** Line of the file on which the record begins. */
    line: integer,
    /** JSON, as it was checked. */
    record: text,
  },
};

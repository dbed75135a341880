/** Tables of imported files; part of `tables.ts`. */

import { integer, text } from "./column.ts";

export const IMPORT_TABLES = {
  /** Files that were sent, or are being sent. See `tag-imports/`. */
  tag_imports: {
    id: text,
    organization_id: text,
    /** ID of the job that imports the file; empty while the file is received or shown. */
    job_id: text,
    /** AccessorID of the token that sent it; empty where a version before 0010 received it. */
    accessor_id: text,
    /** Partition and namespace of that token, as `partition/namespace`: its tokens may belong to one caller. */
    scope: text,
    /** 1 for a sender that could write the organization then: others have less room. */
    by_writer: integer,
    /** Number of records of the file. */
    records: integer,
    /** Time at which its last part arrived. */
    updated_at: text,
  },
  /** Records of the file, in its order. */
  tag_import_records: {
    import_id: text,
    /** Number of the record, from 1. */
    ordinal: integer,
    /** Kind and folded name: two records of one object are refused. */
    name: text,
    /** Line of the file on which the record begins. */
    line: integer,
    /** Record as JSON, as it was checked. */
    record: text,
  },
};

import type { Migration } from "../migration.ts";

/** Files that are being imported, record by record. */
export const tagImports: Migration["statements"] = ({ text, integer, engine }) => [
  `create table tag_imports (id ${text} primary key, organization_id ${text} not null, job_id ${text} not null,
     by_writer ${integer} not null default 0, records ${integer} not null, updated_at ${text} not null)`,
  `create index tag_imports_of_organization on tag_imports (organization_id)`,
  `create table tag_import_records (import_id ${text} not null, ordinal ${integer} not null, name ${text} not null,
     line ${integer} not null, record ${text} not null, primary key (import_id, ordinal))${
       engine === "sqlite" ? " without rowid" : ""
     }`,
  `create unique index tag_import_records_by_name on tag_import_records (import_id, name)`,
];

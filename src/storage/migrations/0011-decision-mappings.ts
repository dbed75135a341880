import type { Migration } from "./migration.ts";

/** Creates the table of the mappings of own types for the decision point; see `acl/decision-mappings`. */
export const decisionMappings: Migration = {
  name: "0011-decision-mappings",
  statements: ({ text, integer }) => [
    // Name of the migration before this one was inserted in front of it.
    "update schema_migrations set name = '0012-proofs-only' where name = '0011-proofs-only'",
    `create table decision_mappings (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       name ${text} not null, name_key ${text} not null, description ${text} not null, subject_types ${text} not null,
       resource_types ${text} not null, create_index ${integer} not null, modify_index ${integer} not null,
       proof ${text} not null, unique (partition, namespace, name_key))`,
  ],
};

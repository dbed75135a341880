import type { Migration } from "../migration.ts";

/** Creates the table of workspaces that may read the remote state of another workspace. */
export const stateConsumers: Migration["statements"] = ({ text, engine }) => [
  `create table state_consumers (workspace_id ${text} not null, consumer_id ${text} not null,
       primary key (workspace_id, consumer_id))${engine === "sqlite" ? " without rowid" : ""}`,
  `create index state_consumers_by_consumer on state_consumers (consumer_id, workspace_id)`,
];

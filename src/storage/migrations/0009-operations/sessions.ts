import type { Migration } from "../migration.ts";

/** Sessions of the console. Each ends with its token, also where an older program deletes that. */
export const sessions: Migration["statements"] = ({ text, integer, engine }) => [
  `create table console_sessions (id ${text} not null primary key,
     accessor_id ${text} not null references tokens (accessor_id) on delete cascade, secret_lookup ${text} not null,
     made_by_login ${integer} not null, created_at ${integer} not null, address ${text} not null, user_agent ${text} not null,
     active_at ${integer} not null, proof ${text} not null)${engine === "sqlite" ? " without rowid" : ""}`,
  `create index console_sessions_of_token on console_sessions (accessor_id)`,
  `create index console_sessions_by_activity on console_sessions (active_at)`,
  `create index console_sessions_by_age on console_sessions (created_at)`,
];

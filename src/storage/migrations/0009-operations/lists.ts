import type { Migration } from "../migration.ts";

/**
 * Orders of the list of tokens by pages (`lists/sorted.ts`, where the expressions are spelled in the same way), and on SQLite what
 * a search and the other orders look at, without the long rest of the rows. PostgreSQL bounds the length of an index's rows.
 */
export const lists: Migration["statements"] = ({ engine }) => [
  `create index tokens_by_description on tokens (partition, namespace, lower(substr(description, 1, 64)), accessor_id)`,
  `create index tokens_by_creation on tokens (partition, namespace, created_at, accessor_id)`,
  ...(engine === "sqlite"
    ? [
        `create index tokens_by_search on tokens
           (partition, namespace, accessor_id, description, auth_method, method_id, expires_at, policies, roles)`,
      ]
    : []),
];

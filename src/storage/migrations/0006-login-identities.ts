import type { Migration } from "../migration.ts";

/**
 * Whose login made a token, so that those of one identity can be counted. Older programs leave it empty: what they
 * make is not counted.
 */
export const loginIdentities: Migration = {
  name: "0006-login-identities",
  statements: ({ text }) => [
    `alter table tokens add column login_identity ${text}`,
    `create index tokens_by_identity on tokens (login_identity, expires_at) where login_identity is not null`,
  ],
};

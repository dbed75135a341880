import type { Migration } from "./migration.ts";

/**
 * Adds the identity whose login made a token. The tokens of one identity can then be counted. Older programs leave it
 * empty: the tokens that they make are not counted.
 */
export const loginIdentities: Migration = {
  name: "0006-login-identities",
  statements: ({ text }) => [
    `alter table tokens add column login_identity ${text}`,
    `create index tokens_by_identity on tokens (login_identity, expires_at) where login_identity is not null`,
  ],
};

import type { Migration } from "../migration.ts";

/** When a token was disabled, with a proof of its own: an older program writes rows and their proofs without it. */
export const disabled: Migration["statements"] = ({ text }) => [
  `alter table tokens add column disabled_at ${text} not null default ''`,
  `alter table tokens add column disabled_proof ${text} not null default ''`,
];

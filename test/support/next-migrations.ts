/** Made-up migrations of a next version, for tests of upgrades. */
import type { Migration } from "../../src/storage/migrations/migration.ts";

/** Adds what an older program may ignore, also to a table that each of its requests reads. */
export const ADD_MOTTOS: Migration = {
  name: "9001-mottos",
  phase: "expand",
  statements: ({ text }) => [
    `alter table policies add column motto ${text} not null default ''`,
    `alter table tokens add column motto ${text}`,
    `create table mottos (id ${text} primary key, spelling ${text})`,
  ],
};

/**
 * Takes the default away by which an older program's inserts work. The next version is this program and does not
 * write the column either, so there it is the default that does, for the sessions of the next version alone.
 */
export const DEMAND_MOTTOS: Migration = {
  name: "9002-mottos-only",
  phase: "contract",
  statements: ({ engine }) => [
    `alter table mottos drop column spelling`,
    ...(engine === "postgres" ? [`alter table policies alter column motto set default ${OF_NEXT_VERSION}`] : []),
  ],
};

const OF_NEXT_VERSION = `nullif(current_setting('application_name') like 'tessera/9002/%', false)::text`;

export const NEXT_MIGRATIONS: readonly Migration[] = [ADD_MOTTOS, DEMAND_MOTTOS];

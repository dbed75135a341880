import type { Migration } from "./migration.ts";

const TABLES = ["tokens", "policies", "roles", "auth_methods", "binding_rules", "namespaces"] as const;
/** Number of the last migration that a program knows which counts by itself; it tells it by the name of its sessions. */
const COUNTS_ITSELF = "0014";

/**
 * Programs count the objects that they write. On PostgreSQL servers of earlier versions may run beside this one: until
 * `0017-no-triggers` the triggers count for those, and pass over sessions of programs that count.
 */
export const countedWrites: Migration = {
  name: "0012-counted-writes",
  statements: ({ engine, servesEarlier }) => [
    // Name of the migration before this one was inserted in front of it.
    "update schema_migrations set name = '0013-proofs-only' where name = '0012-proofs-only'",
    ...(engine === "postgres" && servesEarlier ? TABLES.flatMap(passOverNewer) : []),
  ],
};

/** Sessions of earlier programs, and of people. */
const IS_EARLIER = `current_setting('application_name') !~ '^tessera/\\d{4}/'
  or substring(current_setting('application_name') from '^tessera/(\\d{4})/') < '${COUNTS_ITSELF}'`;

/** The condition is the trigger's own: a statement of a program that counts calls no function. */
function passOverNewer(table: (typeof TABLES)[number]): string[] {
  const triggers = [
    ["count_made", "insert", "referencing new table as changed"],
    ["count_gone", "delete", "referencing old table as changed"],
    ["count_none", "truncate", ""],
  ] as const;
  return triggers.flatMap(([name, event, rows]) => [
    `drop trigger ${name} on ${table}`,
    `create trigger ${name} after ${event} on ${table} ${rows} for each statement when (${IS_EARLIER})
       execute function ${name}_${table}()`,
  ]);
}

/** Nothing counts by triggers from here on. */
export const noTriggers: Migration = {
  name: "0017-no-triggers",
  formerly: ["0016-no-triggers"],
  phase: "contract",
  statements: ({ engine }) =>
    TABLES.flatMap((table) =>
      engine === "sqlite"
        ? ["made", "gone"].map((event) => `drop trigger if exists count_${event}_${table}`)
        : ["made", "gone", "none"].map((event) => `drop function if exists count_${event}_${table}() cascade`),
    ),
};

import { foundation } from "./0001-foundation.ts";
import { accessControl } from "./0002-access-control.ts";
import { feed } from "./0003-feed.ts";
import { namespaces } from "./0004-namespaces.ts";
import { login } from "./0005-login.ts";
import { loginIdentities } from "./0006-login-identities.ts";
import { proofs, proofsOnly } from "./0007-proofs.ts";
import { tags } from "./0008-tags.ts";
import { operations } from "./0009-operations.ts";
import { importOwners } from "./0010-import-owners.ts";
import { decisionMappings } from "./0011-decision-mappings.ts";
import { countedWrites, noTriggers } from "./0012-counted-writes.ts";
import { useLedger } from "./0013-use-ledger.ts";
import { consoleTables } from "./0014-console.ts";
import { listedChanges } from "./0017-listed-changes.ts";
import { keptViews } from "./0018-views.ts";
import type { Migration } from "./migration.ts";
import { StartError } from "../start-error.ts";

/**
 * The migrations of this program, in the order in which they are applied. Those of phase `expand` stand before the `contract` ones
 * of the same version, also when these are older.
 */
export const MIGRATIONS: readonly Migration[] = [
  foundation,
  accessControl,
  feed,
  namespaces,
  login,
  loginIdentities,
  proofs,
  tags,
  operations,
  importOwners,
  decisionMappings,
  countedWrites,
  useLedger,
  consoleTables,
  keptViews,
  proofsOnly,
  noTriggers,
  listedChanges,
];

/** Name of the youngest migration that this program knows. It is not the last one that is applied. */
export function youngestMigration(): string {
  return MIGRATIONS.map(({ name }) => name).reduce((youngest, name) => (name > youngest ? name : youngest), "");
}

/** A migration that a database has, as `schema_migrations` tells. */
export interface AppliedMigration {
  name: string;
  phase: string;
}

/** Migrations that separate the schema of a database from the schema of this program. */
export interface Pending {
  /** To be applied at start: nothing that an older program needs is lost by them. */
  now: readonly Migration[];
  /** The first `contract` migration and all behind it: while an older program may run they have to wait. */
  left: readonly Migration[];
  /** Names of those of a newer version, which mean nothing to this one. */
  newer: readonly string[];
}

/**
 * The migrations that are still to run. An empty database has no older programs, so all run at once.
 *
 * @param known those of this program
 * @throws StartError when the database has one that this program does not know and that takes away what it needs
 */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[] = MIGRATIONS,
): Pending {
  const newer = applied.filter((each) => !known.some((migration) => isMigration(migration, each.name)));
  const refused = newer.find(({ phase }) => phase !== "expand");
  if (refused !== undefined) {
    throw new StartError(
      `the database has migration ${refused.name}, which this version does not know and cannot work with; ` +
        "start the version that applied it, or a newer one",
    );
  }
  const pending = known.filter((migration) => !applied.some((each) => isMigration(migration, each.name)));
  const contract = applied.length === 0 ? -1 : pending.findIndex(({ phase }) => phase === "contract");
  const cut = contract === -1 ? pending.length : contract;
  return { now: pending.slice(0, cut), left: pending.slice(cut), newer: newer.map(({ name }) => name) };
}

/** Whether it is called so, or was. */
export function isMigration({ name, formerly = [] }: Migration, called: string): boolean {
  return called === name || formerly.includes(called);
}

/**
 * For what works beside the servers of a database and changes nothing of its schema.
 *
 * @param applied names of the migrations that it has
 * @throws StartError when what this program needs is missing
 */
export function refuseOtherSchema(applied: readonly string[]): void {
  const missing = MIGRATIONS.find(({ name, phase }) => phase !== "contract" && !applied.includes(name));
  if (missing === undefined) return;
  throw new StartError(
    `the database is of an older version (${missing.name} is missing); start a server of this version on it first`,
  );
}

/** The line for the log when a newer version has been at the database. */
export function newerWarning(newer: readonly string[]): string {
  return (
    `a newer version has added to the database (${newer.join(", ")}); this one works on, ` +
    "until the upgrade is finished with tessera finish-upgrade"
  );
}

import { MIGRATIONS, newerWarning, pendingMigrations, type Pending } from "../migrate.ts";
import type { Migration } from "../migration.ts";
import { StartError } from "../start-error.ts";
import { applyMigrations, inSchemaTurn, peekApplied, type Patience } from "./schema-lock.ts";
import type { Servers } from "./servers.ts";

export interface MigrateOptions {
  onWarning: (message: string) => void;
  /** Those of this program, unless a test says otherwise. */
  known?: readonly Migration[];
  patience?: Patience;
}

/**
 * Brings the schema to where this program can work with it. What an older program still needs stays until
 * `finishUpgrade`.
 *
 * @throws StartError when the schema is of a newer version that this one cannot work with, when an earlier upgrade has
 *   to be finished first, or when a table cannot be had
 */
export async function migratePostgres(
  servers: Servers,
  { onWarning, known = MIGRATIONS, patience }: MigrateOptions,
): Promise<void> {
  const { left, newer } = (await nothingToDo(servers, known)) ?? (await applyPending(servers, known, patience));
  if (newer.length > 0) onWarning(newerWarning(newer));
  if (left.length > 0) {
    onWarning(
      `the upgrade is not finished: ${left.map(({ name }) => name).join(", ")} is left; ` +
        "run tessera finish-upgrade when no server of an older version runs any more",
    );
  }
}

async function nothingToDo(servers: Servers, known: readonly Migration[]): Promise<Pending | undefined> {
  const applied = await peekApplied(servers);
  const pending = applied && pendingMigrations(applied, known);
  if (pending === undefined || pending.now.length > 0) return undefined;
  checkLeft(pending.left);
  return pending;
}

function applyPending(servers: Servers, known: readonly Migration[], patience?: Patience): Promise<Pending> {
  return inSchemaTurn(
    servers,
    async (client, applied) => {
      const pending = pendingMigrations(applied, known);
      checkLeft(pending.left);
      await applyMigrations(client, pending.now);
      return pending;
    },
    patience,
  );
}

/** This program runs while `contract` migrations are left; without what an `expand` one adds it cannot. */
function checkLeft(left: readonly Migration[]): void {
  const needed = left.find(({ phase }) => phase !== "contract");
  if (needed === undefined) return;
  throw new StartError(
    `an earlier upgrade was not finished: ${left[0]?.name} is left, and ${needed.name}, which this version needs, ` +
      "comes after it; stop servers that are older than both, and run tessera finish-upgrade",
  );
}

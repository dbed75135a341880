/** A database into which a backup or another database is being loaded, or was until that was ended: no server may use it. */
import { existsSync } from "node:fs";
import type { Reader } from "../database.ts";
import { prove } from "../proofs/proofs.ts";
import { definePoint } from "../reads/query.ts";
import { StartError } from "../start-error.ts";
import { columnsOf } from "../tables/tables.ts";

/**
 * Row of `meta` that is there from the first to the last moment of a restore into PostgreSQL, and, with a value of
 * `wholeMarker`, in either engine while a database that was moved there waits for its source to be left.
 */
export const RESTORING = "restoring";

/** The file that an embedded database is restored into; it gets its name when all is in it. */
export function restoringFile(path: string): string {
  return `${path}.restoring`;
}

/** @throws StartError when a restore into this place, or a move to it, has not come to its end */
export function refuseRestoringFile(path: string): void {
  if (existsSync(restoringFile(path))) throw halfRestored(`or remove ${restoringFile(path)}`);
}

/** The same of a database that is open. */
export async function refuseHalfRestored(db: Pick<Reader, "point">): Promise<void> {
  const row = await db.point(findMarker, RESTORING);
  if (row === undefined) return;
  if (databaseOf(row.value) !== undefined) throw movedAndMarked();
  throw halfRestored("or set another --database");
}

function halfRestored(otherwise: string): StartError {
  return new StartError(
    `a restore of this database, or a move to it, is running or was interrupted. Wait for it, run it again, ${otherwise}`,
  );
}

function movedAndMarked(): StartError {
  return new StartError(
    "tessera move copied the database here, but has not confirmed that the source is disabled. Wait until tessera move ends. If it failed, run it again",
  );
}

/** Database that a target contains completely. */
export interface WholeOf {
  /** ID of the database, as in the header of a backup. */
  database: string;
  /** Values of its counters: they no longer change when it was left. */
  counters: Readonly<Record<string, unknown>>;
}

/** Returns the value of the row in a target that is complete while it is unknown whether its source was left. */
export function wholeMarker({ database, counters }: WholeOf): string {
  const sorted = Object.entries(counters).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${WHOLE}${database} ${sorted.map(([name, value]) => `${name}=${String(value)}`).join(" ")}`;
}

const WHOLE = "whole: ";

/**
 * Returns the ID of the database that a place contains completely.
 *
 * @returns nothing for a place where a restore, or a move, has only begun
 */
function databaseOf(value: string): string | undefined {
  return value.startsWith(WHOLE) ? value.slice(WHOLE.length).split(" ")[0] : undefined;
}

/**
 * Rejects a load over a completely moved database: it may be the only valid copy by now, so only the same move may
 * begin again.
 *
 * @param value of the row at the place; nothing when there is none
 * @param moving database that is being moved; nothing for a backup
 * @throws StartError
 */
export function refuseOverWhole(value: string | undefined, moving: WholeOf | undefined): void {
  const database = value === undefined ? undefined : databaseOf(value);
  if (database === undefined || database === moving?.database) return;
  throw new StartError(
    "the target contains another moved database, possibly its only valid copy. Run tessera move for that database again, or choose another target",
  );
}

/** The row as columns and their values. */
export function markerRow(value: string): { columns: readonly string[]; values: string[] } {
  const row: Record<string, unknown> = prove("meta", { name: RESTORING, value });
  const columns = columnsOf("meta") ?? [];
  return { columns, values: columns.map((column) => String(row[column])) };
}

const findMarker = definePoint("meta.name", (db) => db.selectFrom("meta").select("name").select("value"));

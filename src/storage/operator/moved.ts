/** A database that was moved elsewhere: its servers write nothing any more, and none is started on it. See `backup/move.ts`. */
import type { Engine } from "../engine.ts";
import type { Reader } from "../database.ts";
import { checkProof, prove } from "../proofs/proofs.ts";
import { definePoint } from "../reads/query.ts";
import type { Snapshot } from "./snapshot.ts";
import { StartError } from "../start-error.ts";
import { columnsOf } from "../tables/tables.ts";

/** Row of `meta` that says where it went, without any password. */
export const MOVED = "moved";

/** @throws StartError when the database was moved; it names the place */
export async function refuseMoved(db: Pick<Reader, "point">): Promise<void> {
  const row = await db.point(findMarker, MOVED);
  if (row === undefined) return;
  checkProof("meta", row);
  throw new StartError(`the database was moved to ${row.value}. Set --database to this address`);
}

/** Returns the address that the database was moved to; undefined when it was not left. */
export async function findMoved(source: Pick<Snapshot, "rows">): Promise<string | undefined> {
  let found: string | undefined;
  for await (const rows of source.rows("meta", ["name", "value"], ["name"])) {
    const [, value] = rows.find(([name]) => name === MOVED) ?? [];
    if (value !== undefined) found = String(value);
  }
  return found;
}

/** Returns the error of a second move: the remains of a moved database are not to be used. */
export function movedAlready(to: string): StartError {
  return new StartError(`the database was moved to ${to}. Start the move from there`);
}

const findMarker = definePoint("meta.name", (db) => db.selectFrom("meta").selectAll());

/** The marker as columns and their values. @param to where it went */
export function markerOf(to: string): { columns: readonly string[]; values: string[] } {
  const row: Record<string, unknown> = prove("meta", { name: MOVED, value: to });
  const columns = columnsOf("meta") ?? [];
  return { columns, values: columns.map((column) => String(row[column])) };
}

/**
 * Statements that block all writes from then on, also of running servers: each transaction begins by raising a counter,
 * or by holding its lease, and either fails. The fence is part of the schema and not of the program, and therefore
 * stops servers of any version. Its error is one of those that report that storage takes no writes.
 */
export function fence(engine: Engine): string[] {
  if (engine === "sqlite") {
    return GUARDED.map(
      (table) =>
        `create trigger moved_${table} before update on ${table} begin select raise(abort, 'the database was moved'); end`,
    );
  }
  return [
    `create function refuse_moved() returns trigger language plpgsql as
       $$ begin raise exception 'the database was moved' using errcode = '57P98'; end $$`,
    ...GUARDED.map(
      (table) =>
        `create trigger moved_${table} before update on ${table} for each statement execute function refuse_moved()`,
    ),
  ];
}

/** Tables in one of which every writer updates a row first. */
export const GUARDED = ["counters", "leases"] as const;

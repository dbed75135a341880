/**
 * The database as an operator's command has it beside the servers that run: it is no server itself, makes no change of the
 * schema, and does nothing in the background.
 */
import type { EngineDatabase } from "./database.ts";
import { openPostgresForOperator } from "./postgres/operator.ts";
import { openSqliteForOperator } from "./sqlite/operator.ts";

/** What it may do: read, and write as the only writer of `root`. */
export type OperatorDatabase = Pick<EngineDatabase, "engine" | "sql" | "run" | "point" | "inTransaction" | "close">;

/**
 * Opens a database that a server of this version has made.
 *
 * @param url `sqlite:PATH` or `postgres://…`
 * @throws StartError when it is not there, cannot be reached, or is of another version
 */
export function openForOperator(url: string): Promise<OperatorDatabase> {
  return url.startsWith("sqlite:") ? openSqliteForOperator(url.slice("sqlite:".length)) : openPostgresForOperator(url);
}

/**
 * The database as an operator's command has it beside the servers that run: it is no server itself, makes no change of the
 * schema, and does nothing in the background.
 */
import type { OperatorDatabase } from "../database.ts";
import { openPostgresForOperator } from "../postgres/operator.ts";
import { recording } from "../writes/recorded.ts";
import { openSqliteForOperator } from "../sqlite/operator.ts";

/**
 * Opens a database that a server of this version has made.
 *
 * @param url `sqlite:PATH` or `postgres://…`
 * @throws StartError when it is not there, cannot be reached, or is of another version
 */
export async function openForOperator(url: string): Promise<OperatorDatabase> {
  const engine = url.startsWith("sqlite:")
    ? await openSqliteForOperator(url.slice("sqlite:".length))
    : await openPostgresForOperator(url);
  return recording({ ...engine, now: () => Date.now() });
}

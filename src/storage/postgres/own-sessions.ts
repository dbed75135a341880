import type { PostgresConnection } from "./connection.ts";
import { StartError } from "../start-error.ts";

/**
 * Looks whether connections keep their sessions. A pooler in transaction mode gives the session of one to another
 * between two transactions: time limits, `synchronous_commit` and what is listened to would be anybody's, and a write
 * might be acknowledged before it is on disk.
 *
 * @throws StartError when the two connections share sessions
 */
export async function checkOwnSessions(one: PostgresConnection, other: PostgresConnection): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (await haveOwnSessions(one, other)) continue;
    throw new StartError(
      "PostgreSQL is behind a pooler that lends a connection's session to others, as PgBouncer does in transaction mode; " +
        "use its session mode, or name PostgreSQL itself in --database (see docs/operations/postgresql.md)",
    );
  }
}

/** A pooler that has not taken a session back yet lends another one, and then the first again to who had it. */
const ROUNDS = 5;

async function haveOwnSessions(one: PostgresConnection, other: PostgresConnection): Promise<boolean> {
  const before = await backendOf(one);
  if ((await backendOf(other)) === before) return false;
  // Held, so that it cannot be lent to the first again.
  await other.query({ text: "begin", values: [] });
  try {
    return (await backendOf(other)) !== before && (await backendOf(one)) === before;
  } finally {
    await other.query({ text: "rollback", values: [] });
  }
}

/** The process of the server that answers. */
async function backendOf(connection: PostgresConnection): Promise<number | undefined> {
  const { rows } = await connection.query({ text: "select pg_backend_pid() as pid", values: [] });
  return (rows as { pid: number }[])[0]?.pid;
}

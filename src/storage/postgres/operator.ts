/** One session of an operator's command beside the servers that run. */
import type { OperatorEngine } from "../database.ts";
import { refuseOtherSchema } from "../migrations/migrate.ts";
import { StartError } from "../start-error.ts";
import { connect, type PostgresConnection } from "./connection.ts";
import { reasonOf } from "./hosts.ts";
import { createReader } from "./reader.ts";
import { createServers } from "./servers.ts";
import { createWriter } from "./writer.ts";

const SETTINGS = {
  idle_in_transaction_session_timeout: "10s",
  lock_timeout: "5s",
  statement_timeout: "60s",
  client_min_messages: "warning",
};
const ANSWER_MS = 70_000;

/** Its transactions come one after the other. @throws StartError */
export async function openPostgresForOperator(url: string): Promise<OperatorEngine> {
  const connection = await openSession(url);
  const nobody = () => undefined;
  const reader = createReader((statement) => connection.query(statement), nobody, false);
  // The caches of the servers contain nothing that is written here.
  const writer = createWriter(connection, nobody, { onCommit: nobody, onUnknown: nobody });
  return {
    ...reader,
    inTransaction: <T>(...[counter, work]: Parameters<OperatorEngine["inTransaction"]>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const job = { work, resolve: (value: unknown) => resolve(value as T), reject };
        writer.transact(counter, job, nobody).catch(reject);
      }),
    close: () => connection.close(),
  };
}

async function openSession(url: string): Promise<PostgresConnection> {
  const connection = connect({
    servers: createServers(url),
    settings: SETTINGS,
    use: "write",
    answerTimeoutMs: ANSWER_MS,
    onWarning: () => undefined,
  });
  try {
    await connection.ready;
    const applied = await connection.query({ text: "select name from schema_migrations order by name", values: [] });
    refuseOtherSchema(applied.rows.map((row) => (row as { name: string }).name));
    return connection;
  } catch (error) {
    await connection.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use PostgreSQL: ${reasonOf(error)}. Check --database and that the server is running`, {
      cause: error,
    });
  }
}

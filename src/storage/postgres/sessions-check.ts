/** Whether what stands in front of the database can carry a server: asked before anything is made in it. */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { StartError } from "../start-error.ts";
import { applicationName } from "./application-name.ts";
import { type ServerReply, holdForTurn, type SentStatement } from "./connection.ts";
import type { Servers } from "./servers.ts";

/** How long an answer to statements that were sent together may take. */
const TOGETHER_MS = 5000;
/** How long one question may take. */
const ANSWER_MS = 12_000;

/** A connection that is asked, of those that a start makes for it and closes again. */
interface Asked {
  query(statement: SentStatement): Promise<ServerReply>;
}

/**
 * Asks both questions on connections of their own: a start that is refused leaves the database as it was.
 *
 * @throws StartError when connections do not keep their sessions, or statements that are sent together are not answered
 */
export async function checkSessions(servers: Servers): Promise<void> {
  const config = { pipeline: true, query_timeout: ANSWER_MS, application_name: applicationName() };
  const clients: pg.Client[] = [];
  const make = async (): Promise<Asked> => {
    const { client } = await servers.connect("write", config);
    clients.push(client);
    return {
      query(statement) {
        holdForTurn(client.connection.stream);
        return client.query(statement);
      },
    };
  };
  try {
    const [one, other] = [await make(), await make()];
    await checkOwnSessions(one, other);
    await checkTogether(one);
    await Promise.all(clients.map((client) => client.end()));
  } catch (error) {
    // One that owes an answer would be waited for.
    for (const client of clients) client.connection.stream.destroy();
    throw error;
  }
}

/**
 * Looks whether connections keep their sessions. A pooler in transaction mode gives the session of one to another
 * between two transactions: time limits, `synchronous_commit` and what is listened to would be anybody's, and a write
 * might be acknowledged before it is on disk.
 *
 * @throws StartError when the two connections share sessions
 */
async function checkOwnSessions(one: Asked, other: Asked): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (await haveOwnSessions(one, other)) continue;
    throw new StartError(
      "PostgreSQL is behind a pooler that shares sessions, such as PgBouncer in transaction mode. " +
        "Use its session mode, or set --database to PostgreSQL itself (see docs/operations/postgresql.md)",
    );
  }
}

/** A pooler that has not taken a session back yet lends another one, and then the first again to who had it. */
const ROUNDS = 5;

async function haveOwnSessions(one: Asked, other: Asked): Promise<boolean> {
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
async function backendOf(connection: Asked): Promise<number | undefined> {
  const { rows } = await connection.query({ text: "select pg_backend_pid() as pid", values: [] });
  return (rows as { pid: number }[])[0]?.pid;
}

/**
 * A write travels in two flights, each of several statements.
 *
 * @throws StartError when statements that are sent together are not answered in their order
 */
async function checkTogether(connection: Asked): Promise<void> {
  const texts = ["1", "2", "3"].map((number) => `select ${number} as found`);
  const answers = Promise.all(texts.map((text) => connection.query({ text, values: [] }))).catch(() => []);
  const late = new AbortController();
  const found = await Promise.race([
    answers,
    sleep(TOGETHER_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  const numbers = found?.map(({ rows }) => (rows[0] as { found?: unknown } | undefined)?.found);
  if (numbers?.join() === "1,2,3") return;
  throw new StartError(
    "the database, or a proxy in front of it, does not support pipelined statements. " +
      "Set --database to PostgreSQL itself",
  );
}

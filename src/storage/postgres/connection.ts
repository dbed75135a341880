import pg from "pg";
import { AppError } from "../../errors.ts";

/** One statement as the driver takes it; `name` makes it a prepared one. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

export interface Answer {
  rows: unknown[];
  /** The tag that the server sent, such as `COMMIT` or `ROLLBACK`. */
  command: string;
}

/**
 * One connection that is made again whenever it breaks. Statements are
 * pipelined: each is sent at once, whatever still waits for an answer.
 */
export interface PostgresConnection {
  /**
   * @param session where the statement belongs; any when left out
   * @throws AppError `unavailable` when there is no connection now, it is not that session's, or it breaks
   */
  query(statement: Statement, session?: Session): Promise<Answer>;
  /** The session that is up now: a transaction that lost its own must not go on in the next one. */
  session(): Session | undefined;
  /** Sends everything that `send` asks for in one packet. */
  together<T>(send: () => T): T;
  /** Statements under way. */
  pending(): number;
  connected(): boolean;
  /** Resolves when the connection is up for the first time; rejects when it cannot be made. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** One connect to the server, for as long as it lasts. */
export type Session = object;

export interface ConnectionOptions {
  url: string;
  /** Sent after each connect. */
  settings: Record<string, string>;
  /** Whether it is of use only where the server takes writes: one to a primary that was demoted is made again. */
  writes: boolean;
  /** A connection that owes an answer for so long is dropped, in milliseconds: nobody may be behind it any more. */
  answerTimeoutMs: number;
  onWarning: (message: string) => void;
  /** Goes on trying also when the first connect fails, and is ready at once. */
  patient?: boolean;
  /** Run on each new session before it is used; when it fails, the session is tried again like any other. */
  onSession?: ((client: pg.Client) => Promise<void>) | undefined;
}

const RETRY_MS = [50, 100, 200, 400, 800, 1000];
const CONNECT_TIMEOUT_MS = 5000;
/** SQLSTATE of a write on a server, or in a session, that only reads. */
const READ_ONLY = "25006";

/** Makes a connection and keeps it. */
export function connect(options: ConnectionOptions): PostgresConnection {
  let client: pg.Client | undefined;
  let pending = 0;
  let closed = false;
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: options.url,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.answerTimeoutMs,
      application_name: "tessera",
    });
    fresh.on("error", (error) => lose(fresh, error));
    fresh.on("end", () => lose(fresh, new Error("the connection was closed")));
    try {
      await fresh.connect();
      await prepareSession(fresh, options.settings);
      if (options.writes) await refuseReadOnly(fresh);
      await options.onSession?.(fresh);
    } catch (error) {
      fresh.connection.stream.destroy();
      throw error;
    }
    if (closed) return void fresh.end();
    client = fresh;
    attempts = 0;
  }

  function lose(lost: pg.Client, error: Error): void {
    if (client !== lost) return;
    client = undefined;
    if (closed) return;
    options.onWarning(`connection to PostgreSQL lost: ${error.message}`);
    retry();
  }

  function retry(): void {
    const delay = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 1000;
    attempts += 1;
    timer = setTimeout(
      () => {
        open().catch(() => {
          if (!closed) retry();
        });
      },
      delay * (0.75 + Math.random() / 2),
    );
    timer.unref();
  }

  async function openPatiently(): Promise<void> {
    open().catch((error: unknown) => {
      options.onWarning(`no connection to PostgreSQL yet: ${String(error)}`);
      if (!closed) retry();
    });
  }

  return {
    ready: options.patient === true ? openPatiently() : open(),
    pending: () => pending,
    connected: () => client !== undefined,
    session: () => client,
    async query(statement, session = client) {
      if (client === undefined || session !== client)
        throw unavailable("The database does not answer, try again later");
      pending += 1;
      try {
        return await client.query(statement);
      } catch (error) {
        // An address that leads to the primary leads to another server by now; this connection never will.
        const isDemoted = options.writes && error instanceof pg.DatabaseError && error.code === READ_ONLY;
        if (isDemoted && session === client) client.connection.stream.destroy();
        throw translatePostgresError(error);
      } finally {
        pending -= 1;
      }
    },
    together(send) {
      const stream = client?.connection.stream;
      stream?.cork();
      try {
        return send();
      } finally {
        stream?.uncork();
      }
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

/**
 * Applies the session's settings, and sees to it that COMMIT means durable: a
 * server or role may have been set to answer before the log is on disk.
 */
async function prepareSession(client: pg.Client, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await client.query("select set_config($1, $2, false)", [name, value]);
  }
  await client.query(
    `select set_config('synchronous_commit', 'on', false)
       where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')`,
  );
}

/** Kept up, the connection would fail every write it gets; refused, it is tried again like any other. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only === "on") throw new Error("the server takes no writes");
}

/** A deadlock or a serialization failure: the transaction had no effect and may be run again. */
export class RetryTransaction extends Error {}

/** Turns an error of PostgreSQL or of the connection into one of ours, by its SQLSTATE. */
export function translatePostgresError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof TypeError || error instanceof RangeError) return error;
  const code = error instanceof pg.DatabaseError ? (error.code ?? "") : undefined;
  // No SQLSTATE: the connection broke.
  if (code === undefined) return unavailable("The database does not answer, try again later", error);
  if (code === "23505") return new AppError("already_exists", "Name has already been taken", { cause: error });
  if (code === "23503") return new AppError("not_found", "A linked object is gone", { cause: error });
  if (code === "40001" || code === "40P01") return new RetryTransaction(String(error), { cause: error });
  if (code === "55P03") return unavailable("Another write takes too long, try again later", error);
  if (code === "57014") return unavailable("The database takes too long, try again later", error);
  if (code.startsWith("53")) return unavailable("The database is out of resources", error);
  if ([READ_ONLY, "25P03"].includes(code) || code.startsWith("57P") || code.startsWith("08")) {
    return unavailable("The database does not take writes now, try again later", error);
  }
  return error;
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("unavailable", message, { cause });
}

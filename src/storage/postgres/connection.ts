import pg from "pg";
import type { AppError } from "../../errors.ts";
import { StartError } from "../start-error.ts";
import { announceSession, applicationName } from "./application-name.ts";
import { IDLE_TOO_LONG, READ_ONLY, TransactionExpired, translatePostgresError, unavailable } from "./faults.ts";
import type { Connected, Servers, ServerUse } from "./servers.ts";

/** One statement as the driver takes it; `name` makes it a prepared one. */
export interface SentStatement {
  name?: string;
  text: string;
  values: unknown[];
}

export interface ServerReply {
  rows: unknown[];
  /** The tag that the server sent, such as `COMMIT` or `ROLLBACK`. */
  command: string;
}

/**
 * One connection that is made again whenever it breaks. Statements are pipelined: each is sent in the turn in which it is
 * asked for, in one packet with the others of that turn, whatever still waits for an answer.
 */
export interface PostgresConnection {
  /**
   * @param session where the statement belongs; any when left out
   * @throws AppError `unavailable` when there is no connection now, it is not that session's, or it breaks
   * @throws TransactionExpired when that is why its session is over
   */
  query(statement: SentStatement, session?: ServerSession): Promise<ServerReply>;
  /** The session that is up now: a transaction that lost its own must not go on in the next one. */
  session(): ServerSession | undefined;
  /** Why a session that is not up any more is over, as `query` throws it. */
  reasonOfEnd(session: ServerSession | undefined): AppError;
  /** Statements under way. */
  pending(): number;
  /** Commits so far that are on this server only: the wait for its standby was cancelled, and a fail-over would lose them. */
  unconfirmed(): number;
  connected(): boolean;
  /** Resolves when the connection is up for the first time; rejects when it cannot be made. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** One connect to the server, for as long as it lasts. */
export type ServerSession = object;

export interface ConnectionOptions {
  servers: Servers;
  /** Settings that are sent after each connect. */
  settings: Record<string, string>;
  /** Purpose. A connection to a primary that was demoted, or that another one has replaced, is made again. */
  use: ServerUse;
  /** Time after which a connection that owes an answer is dropped, in milliseconds: it may have no server any more. */
  answerTimeoutMs: number;
  onWarning: (message: string) => void;
  /** Whether the connection keeps trying when the first connect fails, and is ready immediately. */
  patient?: boolean;
  /** Runs on each new session before its use; after a failure the connect is tried again like any other. */
  onSession?: ((client: pg.Client) => Promise<void>) | undefined;
}

const RETRY_MS = [50, 100, 200, 400, 800, 1000];
/** The function of the server that waits for the standby, as a warning names its place; the text is in any language. */
const SYNC_WAIT = "SyncRepWaitForLSN";

/** 64-bit integers as numbers; what does not fit exactly is refused rather than rounded. */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the integer ${text} is too large`);
  return value;
});

/** Makes a connection and keeps it. */
export function connect(options: ConnectionOptions): PostgresConnection {
  return new KeptConnection(options);
}

class KeptConnection implements PostgresConnection {
  readonly #options: ConnectionOptions;
  #connected: Connected | undefined;
  #pending = 0;
  #unconfirmed = 0;
  #closed = false;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  #warned = "";
  readonly #expired = new WeakSet<ServerSession>();
  // Also for who waits for an answer: a commit there waits for a standby that follows another.
  readonly #stopListening: () => void;
  readonly ready: Promise<void>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { servers } = options;
    this.#stopListening = servers.onNewPrimary(() => {
      if (this.#connected !== undefined && servers.isOvertaken(this.#connected))
        this.#connected.client.connection.stream.destroy();
    });
    this.ready = options.patient === true ? this.#openPatiently() : this.#open();
  }

  pending(): number {
    return this.#pending;
  }

  connected(): boolean {
    return this.#connected !== undefined;
  }

  session(): ServerSession | undefined {
    return this.#connected;
  }

  unconfirmed(): number {
    return this.#unconfirmed;
  }

  async query(statement: SentStatement, session: ServerSession | undefined = this.#connected): Promise<ServerReply> {
    if (this.#connected === undefined || session !== this.#connected) throw this.reasonOfEnd(session);
    const { client } = this.#connected;
    this.#pending += 1;
    holdForTurn(client.connection.stream);
    try {
      return await client.query(statement);
    } catch (error) {
      // An address that leads to the primary leads to another server by now; this connection never will.
      const isDemoted = this.#options.use === "write" && error instanceof pg.DatabaseError && error.code === READ_ONLY;
      if (isDemoted && session === this.#connected) client.connection.stream.destroy();
      throw translatePostgresError(error, statement.text);
    } finally {
      this.#pending -= 1;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#connected?.client.end().catch(() => undefined);
  }

  async #open(): Promise<void> {
    const config = {
      pipeline: true,
      keepAlive: true,
      query_timeout: this.#options.answerTimeoutMs,
      application_name: applicationName(),
    };
    const fresh = await this.#options.servers.connect(this.#options.use, config, async (client) => {
      client.on("error", (error) => this.#lose(client, error));
      client.on("end", () => this.#lose(client, new Error("the connection was closed")));
      client.on("notice", ({ routine }) => {
        if (routine === SYNC_WAIT) this.#unconfirmed += 1;
      });
      await prepareSession(client, this.#options.settings, this.#options.use);
      await announceSession(client);
      await this.#options.onSession?.(client);
    });
    if (this.#closed) return void fresh.client.end();
    if (this.#options.servers.isOvertaken(fresh)) fresh.client.connection.stream.destroy();
    if (!fresh.client.connection.stream.writable) throw new Error("the connection was closed immediately");
    this.#connected = fresh;
    this.#attempts = 0;
  }

  #lose(lost: pg.Client, error: Error): void {
    if (this.#connected?.client !== lost) return;
    if (error instanceof pg.DatabaseError && error.code === IDLE_TOO_LONG) this.#expired.add(this.#connected);
    this.#connected = undefined;
    if (this.#closed) return;
    this.#options.onWarning(`connection to PostgreSQL lost: ${error.message}`);
    this.#retry();
  }

  #retry(): void {
    const delay = RETRY_MS[Math.min(this.#attempts, RETRY_MS.length - 1)] ?? 1000;
    this.#attempts += 1;
    this.#timer = setTimeout(
      () => {
        this.#open().catch((error: unknown) => {
          // It will be so until somebody does something about it.
          if (error instanceof StartError) this.#warnOnce(error.message);
          if (!this.#closed) this.#retry();
        });
      },
      delay * (0.75 + Math.random() / 2),
    );
    this.#timer.unref();
  }

  #warnOnce(message: string): void {
    if (message === this.#warned) return;
    this.#warned = message;
    this.#options.onWarning(message);
  }

  async #openPatiently(): Promise<void> {
    this.#open().catch((error: unknown) => {
      this.#options.onWarning(`no connection to PostgreSQL yet: ${String(error)}`);
      if (!this.#closed) this.#retry();
    });
  }

  reasonOfEnd(session: ServerSession | undefined): AppError {
    const isExpired = session !== undefined && this.#expired.has(session);
    return isExpired ? new TransactionExpired() : unavailable("The database does not respond; retry later");
  }
}

/** Lets what is written to a stream wait for the end of the turn, for one packet of all of it: each is a call of the system. */
export function holdForTurn(stream: pg.Connection["stream"]): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Applies the session's settings, and sees to it that COMMIT means durable: a
 * server or role may have been set to answer before the log is on disk. What the
 * session has set itself no later change of the server's configuration undoes.
 */
async function prepareSession(client: pg.Client, settings: Record<string, string>, use: ServerUse): Promise<void> {
  const each = Object.keys(settings).map((_, number) => `set_config($${2 * number + 1}, $${2 * number + 2}, false)`);
  await client.query(`select ${each.join(", ")}`, Object.entries(settings).flat());
  if (use !== "write") return;
  await client.query(
    `select set_config('synchronous_commit', case when current_setting('synchronous_commit')
       in ('off', 'local', 'remote_write') then 'on' else current_setting('synchronous_commit') end, false)`,
  );
}

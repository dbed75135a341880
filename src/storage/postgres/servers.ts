import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { splitHosts, strictTls } from "./hosts.ts";

/**
 * The servers behind one `--database` or `--replica` URL. It may name several, as libpq has it:
 * `postgres://a:5432,b:5432/name?target_session_attrs=read-write`. All connections of a URL share what one of them has
 * found out: which server is the primary, and how far its history goes.
 */
export interface Servers {
  /**
   * Connects to a server that can do what `use` asks for, the one first that did so last.
   *
   * @param use `write`: the primary, and it takes writes; `read`: the primary; `copy`: any server
   * @param prepare run on the new session
   * @throws what kept the last of them from being used
   */
  connect(use: ServerUse, config: pg.ClientConfig, prepare?: (client: pg.Client) => Promise<void>): Promise<Connected>;
  /** Whether a session is one of a primary that another has followed since. */
  isOvertaken(connected: Connected): boolean;
  /** Calls back whenever another primary has been found. @returns takes the listener away */
  onNewPrimary(listener: () => void): () => void;
  /**
   * Looks at all servers every second, where there are several: a primary that lives on when another was promoted would
   * else be used for as long as it lasts. @returns how to stop
   */
  watch(config: pg.ClientConfig): () => Promise<void>;
}

export type ServerUse = "write" | "read" | "copy";

export interface Connected {
  client: pg.Client;
  /** Timeline of the primary: grows with each promotion of a standby; undefined where the server does not report it. */
  timeline: number | undefined;
}

const LOOK_MS = 1000;
/** One that does not answer must not keep its turn from the others. */
const CONNECT_TIMEOUT_MS = 5000;
const ONE_OF_MANY_TIMEOUT_MS = 2000;

/** @param url as `splitHosts` takes it */
export function createServers(url: string): Servers {
  return new FoundServers(url);
}

class FoundServers implements Servers {
  readonly #urls: readonly string[];
  #first = 0;
  #newest = 0;
  readonly #listeners = new Set<() => void>();

  constructor(url: string) {
    this.#urls = splitHosts(url);
  }

  watch(config: pg.ClientConfig): () => Promise<void> {
    const stopping = new AbortController();
    const { signal } = stopping;
    const looking =
      this.#urls.length > 1 ? this.#urls.map((_, number) => this.#keepLookingAt(number, config, signal)) : [];
    return async () => {
      stopping.abort();
      await Promise.all(looking);
    };
  }

  onNewPrimary(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  isOvertaken({ timeline }: Connected): boolean {
    return timeline !== undefined && timeline < this.#newest;
  }

  async connect(
    use: ServerUse,
    config: pg.ClientConfig,
    prepare?: (client: pg.Client) => Promise<void>,
  ): Promise<Connected> {
    let problem: unknown = new Error("the URL contains no server");
    const start = this.#first;
    for (let step = 0; step < this.#urls.length; step++) {
      const number = (start + step) % this.#urls.length;
      try {
        const connected = await this.#open(this.#urls[number] ?? "", use, config, prepare);
        this.#checkNotOvertaken(connected);
        this.#first = number;
        return connected;
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  #note(timeline: number): void {
    if (timeline <= this.#newest) return;
    this.#newest = timeline;
    for (const listener of this.#listeners) listener();
  }

  async #open(target: string, use: ServerUse, config: pg.ClientConfig, prepare?: (client: pg.Client) => Promise<void>) {
    const client = new pg.Client({
      connectionString: strictTls(target),
      connectionTimeoutMillis: this.#urls.length > 1 ? ONE_OF_MANY_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
      ...config,
    });
    // Users of the session add listeners of their own; without any listener an error would end the process.
    client.on("error", () => undefined);
    try {
      await client.connect();
      const timeline = use === "copy" ? undefined : await checkPrimary(client, use);
      await prepare?.(client);
      return { client, timeline };
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }

  /** A primary that was given up may come back and not know it. What it shows is old, and what it takes is lost. */
  #checkNotOvertaken(connected: Connected): void {
    const { client, timeline = this.#newest } = connected;
    if (timeline < this.#newest) {
      client.connection.stream.destroy();
      throw new Error(
        `the server is a former primary: its timeline is ${timeline}, the current timeline is ${this.#newest}`,
      );
    }
    this.#note(timeline);
  }

  /** Asks one server again and again over one connection, for as long as that lasts. */
  async #lookAt(number: number, config: pg.ClientConfig, signal: AbortSignal): Promise<void> {
    const { client } = await this.#open(this.#urls[number] ?? "", "copy", config);
    try {
      while (!signal.aborted) {
        const timeline = await readTimeline(client);
        if (timeline !== undefined && timeline > this.#newest) {
          this.#first = number;
          this.#note(timeline);
        }
        await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    } finally {
      client.connection.stream.destroy();
    }
  }

  async #keepLookingAt(number: number, config: pg.ClientConfig, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#lookAt(number, config, signal).catch(() => undefined);
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/**
 * @returns the server's timeline
 * @throws Error when the server is a standby, or takes no writes where they are wanted
 */
async function checkPrimary(client: pg.Client, use: ServerUse): Promise<number | undefined> {
  const { rows } = await client.query<{ standby: boolean; read_only: string }>(
    "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only",
  );
  if (rows[0]?.standby !== false) throw new Error("the server is a standby, not the primary");
  if (use === "write" && rows[0].read_only === "on") throw new Error("the server does not accept writes");
  return readTimeline(client);
}

/** @returns undefined for a standby too, which may follow any */
async function readTimeline(client: pg.Client): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ name: string | null }>(
      "select case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as name",
    );
    const name = rows[0]?.name ?? undefined;
    return name === undefined ? undefined : Number.parseInt(name.slice(0, 8), 16);
  } catch (error) {
    // Databases that only speak PostgreSQL's protocol have no such thing.
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  }
}

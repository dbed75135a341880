/**
 * Workers of a distributed database (Citus). The rows of a distributed schema are on a worker, which neither the settings nor the
 * clock of our session reach: both have to be right there by themselves.
 */
import { AppError, StorageAway } from "../../errors.ts";
import { StartError } from "../start-error.ts";
import type { PostgresConnection } from "./connection.ts";

type Connection = Pick<PostgresConnection, "query">;

const CHECK_EVERY_MS = 60_000;
/** A larger difference between the clocks of a worker and of the server that we talk to is refused. */
const TOLERATED_MS = 1000;

/** Whether the schema is distributed; false where there is no Citus, or one that knows no distributed schemas. */
const IS_DISTRIBUTED = `select to_regclass('pg_catalog.pg_dist_schema') is not null as found`;
const SCHEMA = `select exists (select 1 from pg_dist_schema where schemaid = current_schema()::regnamespace) as found`;
/** Times in milliseconds since the epoch; the one here is read before the workers are asked. */
const WORKERS = `select nodename || ':' || nodeport as worker, success, result,
    (extract(epoch from statement_timestamp()) * 1000)::float8 as here,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as after
  from run_command_on_workers($$select json_build_object('synchronous_commit', current_setting('synchronous_commit'),
    'fsync', current_setting('fsync'), 'at', extract(epoch from clock_timestamp()) * 1000)::text$$)`;

/** Levels at which a commit on a worker is on disk there before it is confirmed. */
const DURABLE = new Set(["on", "remote_apply"]);

interface AskedWorker {
  worker: string;
  success: boolean;
  result: string;
  here: number;
  after: number;
}

interface WorkerState {
  synchronous_commit: string;
  fsync: string;
  at: number;
}

/**
 * Asks all workers for their settings and clocks.
 *
 * @returns the first problem in one line; undefined when there is none, or no workers
 */
export async function findWeakWorker(connection: Connection): Promise<string | undefined> {
  if (!(await isTrue(connection, IS_DISTRIBUTED)) || !(await isTrue(connection, SCHEMA))) return undefined;
  const { rows } = await connection.query({ text: WORKERS, values: [] });
  for (const asked of rows as AskedWorker[]) {
    // One that cannot be reached refuses each write by itself.
    const problem = asked.success ? problemOf(asked, JSON.parse(asked.result) as WorkerState) : undefined;
    if (problem !== undefined) return `worker ${asked.worker} of the database ${problem}`;
  }
  return undefined;
}

function problemOf({ here, after }: AskedWorker, { synchronous_commit, fsync, at }: WorkerState): string | undefined {
  if (!DURABLE.has(synchronous_commit)) {
    return `has synchronous_commit=${synchronous_commit}; set it to on, or acknowledged writes can be lost`;
  }
  if (fsync !== "on") return `has fsync=${fsync}; set it to on, or acknowledged writes can be lost`;
  const off = at < here ? at - here : at > after ? at - after : 0;
  if (Math.abs(off) <= TOLERATED_MS) return undefined;
  return `has a clock that differs by ${(off / 1000).toFixed(1)} s; synchronize the clocks`;
}

async function isTrue(connection: Connection, text: string): Promise<boolean> {
  const { rows } = await connection.query({ text, values: [] });
  return (rows[0] as { found?: unknown } | undefined)?.found === true;
}

/** Knows at any time whether the workers may be written to. */
export interface WorkerWatch {
  /** Returns why no write may begin now; undefined while all is well. */
  refusal(): AppError | undefined;
  stop(): void;
}

/**
 * Checks the workers now, and once a minute from then on.
 *
 * @param onWarning told of a problem, and of its end
 * @throws StartError when a worker has a problem now
 */
export async function watchWorkers(
  connection: () => Connection,
  onWarning: (message: string) => void,
): Promise<WorkerWatch> {
  const first = await findWeakWorker(connection());
  if (first !== undefined) throw new StartError(first);
  let problem: string | undefined;
  const timer = setInterval(() => void look(), CHECK_EVERY_MS);
  timer.unref();

  async function look(): Promise<void> {
    // A database that does not respond refuses writes by itself; what was known before stays.
    const found = await findWeakWorker(connection()).catch(() => problem);
    if (found === problem) return;
    problem = found;
    onWarning(
      found === undefined ? "the workers of the database are available again" : `${found}; writes are rejected`,
    );
  }

  return {
    refusal: () => (problem === undefined ? undefined : new StorageAway(`Storage does not accept writes: ${problem}`)),
    stop: () => clearInterval(timer),
  };
}

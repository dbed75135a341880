import type { Header } from "../../backup/format.ts";
import { BACKED_UP } from "../../backup/tables.ts";
import { checkMasterKey } from "../../backup/master-key-check.ts";
import { moveDatabase, type MoveResult } from "../../backup/move.ts";
import { describeSnapshot } from "../../backup/write.ts";
import { type Config, ConfigError, readConfig } from "../../config.ts";
import { database as databaseOption } from "../../config/values.ts";
import type { WholeOf } from "../../storage/operator/half-restored.ts";
import { migrationsOf, type Loading } from "../../storage/operator/loading.ts";
import type { Migration } from "../../storage/migrations/migration.ts";
import { findMoved, movedAlready } from "../../storage/operator/moved.ts";
import { CUTOVER_SECONDS, type MovingOptions, type MovingSource } from "../../storage/operator/moving.ts";
import { withoutCredentials } from "../../storage/postgres/hosts.ts";
import { giveMovedPostgres } from "../../storage/postgres/give.ts";
import { openPostgresLoading } from "../../storage/postgres/loading.ts";
import { openPostgresMoving } from "../../storage/postgres/moving.ts";
import { giveMovedSqlite } from "../../storage/sqlite/give.ts";
import { openSqliteLoading } from "../../storage/sqlite/loading.ts";
import { openSqliteMoving } from "../../storage/sqlite/moving.ts";
import { givenMasterKey } from "../given-master-key.ts";
import { showProgress, type Progress } from "../progress.ts";
import { tell } from "../with-database.ts";
import { warn } from "./backup.ts";
import { keepYoungHeapSmall } from "../../private-node.ts";

export interface MoveFlags {
  from: string;
  to: string;
  cutover?: true;
}

type Location = Config["database"];

/**
 * `tessera move`: makes an empty database what another one is, compares both, and leaves the other, on which no server starts
 * from then on.
 *
 * @param args as `serve` takes them: where the master key is, which is the same before and after
 * @throws ConfigError, StartError; then nothing was moved
 */
export async function moveCommand(flags: MoveFlags, args: readonly string[]): Promise<void> {
  const { config, location: from } = locate(flags.from, "--from", args);
  const { location: to } = locate(flags.to, "--to", args);
  if (from.url === to.url) throw new ConfigError("--from and --to are the same database; use another --to");
  const masterKey = await givenMasterKey(config);
  keepYoungHeapSmall();
  const source = await openSource(from, { cutover: flags.cutover === true });
  try {
    const header = await describeSnapshot(source);
    const { keyFile, dataDir } = config;
    checkMasterKey(header, { masterKey, keyFile, dataDir, onWarning: warn });
    const left = await findMoved(source);
    if (left === undefined) await moveAll(source, header, to);
    else await giveAgain(left, header, to);
  } finally {
    await source.close();
  }
  tell(`Start servers with --database ${shown(to)}. Servers no longer start on ${shown(from)}`);
}

async function moveAll(source: MovingSource, header: Header, to: Location): Promise<void> {
  const began = performance.now();
  const migrations = migrationsOf(header.migrations);
  const progress = await beginProgress(source);
  let moved: MoveResult;
  try {
    const loading = await openTarget(to, migrations, header);
    const onRows = (table: string, rows: number) => progress.add(rows, table);
    moved = await moveDatabase(source, header, loading, { to: shown(to), now: new Date(), onRows });
  } finally {
    progress.end();
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  tell(`Moved ${moved.rows.toLocaleString("en-US")} rows of ${moved.tables} tables to ${shown(to)} in ${seconds} s`);
  tell("Verified the row count and SHA-256 of each table");
}

/** The end of a move that was ended when it had left the source. @throws StartError when the target is not what was moved */
async function giveAgain(left: string, header: Header, to: Location): Promise<void> {
  if (left !== shown(to)) throw movedAlready(left);
  const given = to.engine === "sqlite" ? giveMovedSqlite(pathOf(to), header) : await giveMovedPostgres(to.url, header);
  if (given === "other") throw movedAlready(left);
  tell(
    given === "given"
      ? `The database was already moved to ${shown(to)}; servers can start there now`
      : `The database was already moved to ${shown(to)}; nothing to do`,
  );
}

/** @throws ConfigError as for the `--database` of a server */
function locate(text: string, origin: string, args: readonly string[]): { config: Config; location: Location } {
  const { url } = databaseOption.parse({ text, origin });
  const config = readConfig([...args, "--database", url]);
  return { config, location: config.database };
}

function pathOf({ url }: Location): string {
  return url.slice("sqlite:".length);
}

/** Returns a text that anybody may see: a URL of PostgreSQL may contain a password. */
function shown({ engine, url }: Location): string {
  return engine === "sqlite" ? url : withoutCredentials(url);
}

function openSource(from: Location, options: MovingOptions): Promise<MovingSource> {
  if (options.cutover) warn(`servers on ${shown(from)} reject writes for at most ${CUTOVER_SECONDS} s`);
  return from.engine === "sqlite" ? openSqliteMoving(pathOf(from), options) : openPostgresMoving(from.url, options);
}

async function openTarget(to: Location, migrations: Migration[], whole: WholeOf): Promise<Loading> {
  return to.engine === "sqlite"
    ? openSqliteLoading(pathOf(to), migrations, warn, whole)
    : openPostgresLoading(to.url, migrations, whole);
}

/** Each row is copied, and compared. Counted for whoever looks only. */
async function beginProgress(source: MovingSource): Promise<Progress> {
  if (!process.stderr.isTTY) return showProgress(0);
  let total = 0;
  for (const { name } of BACKED_UP) total += 2 * (await source.count(name));
  return showProgress(total);
}

/** Backups that a server makes by itself. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Metrics } from "../../http/metrics.ts";
import type { Database } from "../../storage/database.ts";
import { createPrivateDirectory } from "../../storage/files.ts";
import { newHolder, takeLease } from "../../storage/lease.ts";
import { startBackground, type Background } from "../../storage/removal.ts";
import { listBackups, nameAt, removeHalves, removeOld } from "./folder.ts";

const LEASE = "backups";
/** Shorter than a lease lasts. */
const RENEW_MS = 2000;
const LOOK_MS = 5000;
/** After a failure; sooner where they are made that often. */
const RETRY_MS = 60_000;

type ScheduleConfig = Pick<
  Config,
  "backupEvery" | "backupDir" | "backupKeep" | "database" | "dataDir" | "allowInsecure"
>;

/** How it is, for the metrics. */
export interface BackupProgress {
  /** Milliseconds since the last good one was begun; since this server looks while there is none. */
  ageMilliseconds(): number;
  made(): number;
  failures(): number;
}

export interface ScheduledBackups extends BackupProgress, Background {}

/**
 * Makes a backup whenever the newest one in the folder is old enough, under a lease, and keeps the last ones. A failure is
 * logged, counted and tried again.
 *
 * @returns undefined where none are asked for
 */
export function startScheduledBackups(db: Database, config: ScheduleConfig, log: Logger): ScheduledBackups | undefined {
  const { backupEvery: everyMs, backupDir: folder, backupKeep: keep } = config;
  if (everyMs === undefined || folder === undefined) return undefined;
  const holder = newHolder();
  const began = Date.now();
  const retryMs = Math.min(RETRY_MS, everyMs / 12);
  let newest: number | undefined;
  let [made, failures, nextTry] = [0, 0, -Infinity];

  async function work(stopping: AbortSignal): Promise<void> {
    createPrivateDirectory(folder ?? "");
    newest = (await listBackups(folder ?? ""))[0]?.time;
    // One that is dated after now is of a clock that was wrong.
    const age = newest === undefined ? Infinity : Date.now() - newest;
    if ((age >= 0 && age < Number(everyMs)) || performance.now() < nextTry) return;
    if ((await takeLease(db, LEASE, holder)) === undefined) return;
    await make(stopping);
  }

  async function make(stopping: AbortSignal): Promise<void> {
    const path = folder ?? "";
    await removeHalves(path);
    const file = join(path, nameAt(new Date()));
    const signal = await underLease(db, holder, stopping, (ending) => runBackup(file, config, ending));
    if (stopping.aborted) return removeHalves(path);
    // What it was at work on is removed by who has the lease now.
    if (signal.aborted) throw new Error("the lease of backups was lost meanwhile");
    made += 1;
    await removeOld(path, keep);
    newest = (await listBackups(path))[0]?.time;
    log.info({ file }, "a backup was made");
  }

  function fail(error: unknown): void {
    failures += 1;
    nextTry = performance.now() + retryMs;
    log.error({ err: error }, "a backup cannot be made; it is tried again");
  }

  const background = startBackground((signal) => work(signal).catch(fail), fail, LOOK_MS);
  return {
    ...background,
    ageMilliseconds: () => Math.max(0, Date.now() - (newest ?? began)),
    made: () => made,
    failures: () => failures,
  };
}

/** Keeps the lease while the work goes on; ends the work when it is lost, or the server stops. @returns what ends it */
async function underLease(
  db: Database,
  holder: string,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<AbortSignal> {
  const lost = new AbortController();
  const ending = AbortSignal.any([stopping, lost.signal]);
  const renewal = setInterval(() => {
    takeLease(db, LEASE, holder).then(
      (lease) => lease ?? lost.abort(),
      // Whoever cannot ask does not know it: the next one asks again, and nobody else has it before it runs out.
      () => undefined,
    );
  }, RENEW_MS);
  try {
    await work(ending);
    return ending;
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Has another process do it, as `tessera backup` does: whoever asks this one for something does not wait for it, and its memory is its
 * own. What it may not show, such as the password in the URL, is in its environment.
 *
 * @throws Error in the words of the command
 */
async function runBackup(file: string, { database, dataDir, allowInsecure }: ScheduleConfig, signal: AbortSignal) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_"));
  const env = {
    ...Object.fromEntries(own),
    TESSERA_DATABASE: database.url,
    TESSERA_DATA_DIR: dataDir,
    ...(allowInsecure ? { TESSERA_ALLOW_INSECURE: "true" } : {}),
  };
  const args = [...process.execArgv, process.argv[1] ?? "", "backup", file];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-MOST_SAID)));
  const end = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    const [status] = (await once(child, "close")) as [number | null];
    if (status === 0 || signal.aborted) return;
    throw new Error(said.trim() === "" ? `it ended with ${status}` : said.trim());
  } finally {
    signal.removeEventListener("abort", end);
  }
}

const MOST_SAID = 2000;

/** Adds the numbers of the backups that a server makes by itself. @param progress undefined while it has not begun */
export function measureBackups({ gauge }: Pick<Metrics, "gauge">, progress: () => BackupProgress | undefined): void {
  gauge(
    "tessera_backup_age_seconds",
    "Age of the last good backup in --backup-dir; while there is none, how long the server has run",
    () => (progress()?.ageMilliseconds() ?? 0) / 1000,
  );
  gauge("tessera_backups_made", "Backups that this process has made", () => progress()?.made() ?? 0);
  gauge("tessera_backups_failed", "Backups of this process that failed", () => progress()?.failures() ?? 0);
}

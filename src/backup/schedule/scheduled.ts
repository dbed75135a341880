/** Backups that a server makes by itself. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { MetricRegistry } from "../../metrics.ts";
import type { TrustedClock } from "../../storage/clock/trusted.ts";
import type { Database } from "../../storage/database.ts";
import { createPrivateDirectory } from "../../storage/files.ts";
import { newHolder, takeLease } from "../../storage/feed/lease.ts";
import { startBackground, type Background } from "../../storage/operator/removal.ts";
import { createAllowance, momentNow, noteIn } from "./allowance.ts";
import { type Listed, listBackups, nameAt, nameVerified, removeHalves, removeOld, unverified } from "./folder.ts";
import { runCommand } from "./run-command.ts";

const LEASE = "backups";
/** Shorter than a lease lasts. */
const RENEW_MS = 2000;
const LOOK_MS = 5000;
/** After a failure; sooner where they are made that often. */
const RETRY_MS = 60_000;
/** This part of the interval has to have really passed since the last one of this process, whatever the clock says. */
const REALLY_PASSED = 0.9;

type ScheduleConfig = Pick<
  Config,
  | "backupEvery"
  | "backupDir"
  | "backupKeep"
  | "backupKeepDaily"
  | "backupKeepWeekly"
  | "backupKeepMonthly"
  | "database"
  | "dataDir"
  | "allowInsecure"
>;

/** How it is, for the metrics. */
export interface BackupProgress {
  /** Milliseconds since the last good one was begun; since this server looks while there is none. */
  ageMilliseconds(): number;
  made(): number;
  failures(): number;
  /** Backups in the folder that are dated after now. */
  future(): number;
}

export interface ScheduledBackups extends BackupProgress, Background {}

/**
 * Makes a backup whenever the newest one in the folder that is not dated after now is old enough, under a lease, verifies it, and keeps
 * as many as the options say. A failure is logged, counted and tried again.
 *
 * @param clock by which old ones may be removed
 * @returns undefined where none are asked for
 */
export function startScheduledBackups(
  db: Database,
  config: ScheduleConfig,
  clock: Pick<TrustedClock, "now">,
  log: Logger,
): ScheduledBackups | undefined {
  const { backupEvery: everyMs, backupDir: folder } = config;
  if (everyMs === undefined || folder === undefined) return undefined;
  const holder = newHolder();
  const kept = keptBy(config);
  const allowance = createAllowance(everyMs, () => momentNow(clock.now), noteIn(folder));
  const watch = watchFolder(folder, log);
  const retryMs = Math.min(RETRY_MS, everyMs / 12);
  let last: { file: string; at: number } | undefined;
  let [made, failures, nextTry] = [0, 0, -Infinity];

  async function work(stopping: AbortSignal): Promise<void> {
    createPrivateDirectory(folder ?? "");
    const [newest] = await watch.look();
    if (newest !== undefined && Date.now() - newest.time < Number(everyMs)) return;
    if (performance.now() < nextTry || isTooSoon()) return;
    if ((await takeLease(db, LEASE, holder)) === undefined) return;
    await make(stopping);
  }

  /** A clock that jumps makes the newest one look old; one that was removed meanwhile is made anew. */
  function isTooSoon(): boolean {
    if (last === undefined || performance.now() - last.at >= Number(everyMs) * REALLY_PASSED) return false;
    return existsSync(last.file);
  }

  async function make(stopping: AbortSignal): Promise<void> {
    const path = folder ?? "";
    await removeHalves(path);
    const [file, at] = [join(path, nameAt(new Date())), performance.now()];
    const signal = await underLease(db, holder, stopping, (ending) => makeVerified(file, config, ending));
    if (stopping.aborted) return removeHalves(path);
    // It is removed, half as it is, by the one who has the lease now.
    if (signal.aborted) throw new Error("the lease of backups was lost");
    await nameVerified(file);
    last = { file, at };
    try {
      await removeOld(path, await watch.look(), kept, allowance);
    } finally {
      // Counted when the folder is as it will stay.
      made += 1;
    }
    log.info({ file }, "backup created");
  }

  function fail(error: unknown): void {
    failures += 1;
    nextTry = performance.now() + retryMs;
    log.error({ reason: reasonOf(error) }, "backup failed; retrying");
  }

  const background = startBackground((signal) => work(signal).catch(fail), fail, LOOK_MS);
  return { ...background, ...watch.progress, made: () => made, failures: () => failures };
}

/** How many backups are kept, by their kinds. */
function keptBy({ backupKeep, backupKeepDaily, backupKeepWeekly, backupKeepMonthly }: ScheduleConfig) {
  return { newest: backupKeep, daily: backupKeepDaily, weekly: backupKeepWeekly, monthly: backupKeepMonthly };
}

/** Looks into the folder, remembers what metrics tell of it, and says once of each backup that it is dated after now. */
function watchFolder(folder: string, log: Logger) {
  const began = Date.now();
  const told = new Set<string>();
  let newest: number | undefined;
  let inFuture = 0;
  return {
    /** @returns the backups that count, the newest first */
    async look(): Promise<Listed[]> {
      const { past, future } = await listBackups(folder, Date.now());
      newest = past[0]?.time;
      inFuture = future.length;
      for (const { name } of future) {
        if (told.size >= MOST_TOLD || told.has(name)) continue;
        told.add(name);
        log.warn(
          { file: join(folder, name) },
          "backup with a time in the future is ignored until then; check the system clock",
        );
      }
      return past;
    },
    progress: { ageMilliseconds: () => Math.max(0, Date.now() - (newest ?? began)), future: () => inFuture },
  };
}

/** Names that are remembered, at most. */
const MOST_TOLD = 1000;

/** Writes a backup beside the name that it is to have, and reads all of it. @throws Error in the words of the command */
async function makeVerified(file: string, config: ScheduleConfig, signal: AbortSignal): Promise<void> {
  const written = unverified(file);
  await runCommand(["backup", written], config, signal);
  try {
    if (!signal.aborted) await runCommand(["backup", "verify", written], config, signal);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Its reason is for an operator, not for who mends the program: no stack. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
      // A failed renewal proves no loss: the next one asks again, and no other server gets the lease before it expires.
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

/** Adds the numbers of the backups that a server makes by itself. @param progress undefined while it has not begun */
export function measureBackups(
  { gauge }: Pick<MetricRegistry, "gauge">,
  progress: () => BackupProgress | undefined,
): void {
  gauge(
    "tessera_backup_age_seconds",
    "Age of the last verified backup in --backup-dir; without one, the uptime of the server",
    () => (progress()?.ageMilliseconds() ?? 0) / 1000,
  );
  gauge("tessera_backups_made", "Number of backups of this process", () => progress()?.made() ?? 0);
  gauge(
    "tessera_backups_in_future",
    "Number of backups in --backup-dir with a time in the future, which are ignored until then",
    () => progress()?.future() ?? 0,
  );
  gauge("tessera_backups_failed", "Number of failed backups of this process", () => progress()?.failures() ?? 0);
}

/** The work of a server beside requests: what has to run before anything is answered, and what begins when it answers. */
import { hostname } from "node:os";
import type { Logger } from "pino";
import { NO_PROGRESS, startDeletion, type BackgroundDeletion } from "../acl/deletion/removal.ts";
import { startRecordingActivity, type SessionActivity } from "../acl/sessions/activity.ts";
import { createAccessorResolver } from "../acl/tokens/resolve.ts";
import { openRevocations } from "../acl/tokens/revocation/engine.ts";
import { startRecordingUses, type TokenUses } from "../acl/tokens/uses.ts";
import type { AppOptions } from "../app.ts";
import { type AuditOutput, NOTHING_GIVEN, startAuditOutput } from "../audit/output.ts";
import { type ScheduledBackups, startScheduledBackups } from "../backup/schedule/scheduled.ts";
import type { Config } from "../config.ts";
import { readVersion } from "../config/version.ts";
import { createTargets } from "../outbound/targets.ts";
import { startClockWatch, type ClockWatch } from "../storage/clock/watch.ts";
import type { Database } from "../storage/database.ts";
import { nodeName, startNodeNotes, type NodeNotes } from "../storage/feed/nodes.ts";
import { startResealing } from "../storage/keys/resealing.ts";
import { startKeyWatch } from "../storage/keys/watch.ts";
import { recountObjects } from "../storage/operator/recount.ts";
import { type Background, startRemoval } from "../storage/operator/removal.ts";
import { startJobs } from "../tags/jobs/engine.ts";
import { JOB_KINDS } from "../tags/jobs/kinds.ts";
import { NO_DELIVERIES, startDeliveries, type Deliveries } from "../tags/changes/hooks/worker.ts";
import { startCoverageDays } from "../tags/rules/days/keep.ts";
import { startUseLedger, type UseFlusher } from "../use/flush.ts";
import type { UseMemory } from "../records/uses/memory.ts";
import { withRecorder } from "../records/uses/recorder.ts";
import { startRemovals } from "./removals.ts";
import { startTellingRewritten } from "./rewritten-policies.ts";

/** Work that begins when the server answers; metrics ask for its progress before. */
export interface LateWork {
  deletion?: BackgroundDeletion;
  deliveries?: Deliveries;
  auditOutput?: AuditOutput;
  backups?: ScheduledBackups | undefined;
  nodes?: NodeNotes;
}

/** Surroundings of that work. */
interface WorkOptions {
  db: Database;
  config: Config;
  log: Logger;
  clock: ClockWatch;
  uses: TokenUses;
  /** Undefined where no use ledger is kept. */
  ledger: UseFlusher | undefined;
  useMemory: UseMemory | undefined;
  activity: SessionActivity;
}

/**
 * Watches the clock and the keys. It runs before anything is answered: by what a request writes no clock may be judged.
 *
 * @param fatal aborted when the keys are replaced
 * @param background gets each watch as soon as it runs
 */
export async function startWatches(
  db: Database,
  config: Config,
  log: Logger,
  fatal: AbortController,
  background: Background[],
) {
  const onWarning = (message: string) => log.warn(message);
  const clock = await startClockWatch(db, {
    isAccepted: config.acceptClock,
    onWarning,
    onError: failing(log)("clock check failed"),
  });
  background.push(clock);
  const keys = await startKeyWatch(db, {
    onReplaced: (error) => fatal.abort(error),
    onError: failing(log)("encryption key check failed"),
    onWarning,
  });
  background.push(keys);
  return { clock, keys };
}

/** The progress of work that may not have begun, as the application asks for it. */
export function progressOf(
  late: LateWork,
  { auditFile, auditWebhook, backupEvery }: Config,
): Pick<AppOptions, "deletion" | "deliveries" | "auditOutput" | "backups" | "otherNodes"> {
  return {
    deletion: () => late.deletion?.progress() ?? NO_PROGRESS,
    deliveries: () => late.deliveries?.progress() ?? NO_DELIVERIES,
    auditOutput: {
      brokenChains: () => late.auditOutput?.brokenChains() ?? 0,
      ...(auditFile === undefined ? {} : { file: () => late.auditOutput?.file?.() ?? NOTHING_GIVEN }),
      ...(auditWebhook === undefined ? {} : { webhook: () => late.auditOutput?.webhook?.() ?? NOTHING_GIVEN }),
    },
    backups: backupEvery === undefined ? undefined : () => late.backups,
    otherNodes: async () => (await late.nodes?.others()) ?? [],
  };
}

/** Starts all work that begins when the server answers. @returns what begins files anew that were given another name */
export function startWork(late: LateWork, options: WorkOptions, background: Background[]): () => void {
  const { db, config, log, clock, uses, activity, ledger } = options;
  const failed = failing(log);
  const removals = startRemovals(db, clock, config.useRetention, failed);
  const recount = recountObjects(db, (wrong) => log.warn(wrong, "stored object counts were wrong; corrected"));
  removals.push(startRemoval(db, recount, failed("cannot recount objects")));
  const deletion = startDeletion(db, {
    onProgress: (message, details) => log.info(details, message),
    onError: failed("background deletion failed"),
  });
  const told = failed("webhook delivery failed");
  const deliveries = startDeliveries({ db, askFor: createTargets(config), now: db.now }, told);
  const auditOutput = startAuditOutput(db, config, log, clock);
  const backups = startScheduledBackups(db, config, clock, log);
  Object.assign(late, { deletion, deliveries, auditOutput, backups });
  // An embedded database has one server.
  if (db.engine === "postgres") {
    const node = { name: nodeName(), version: readVersion() };
    late.nodes = startNodeNotes(db, node, failed("cannot write the heartbeat of this server"));
  }
  const jobs = { actorOf: accessorResolver(options), now: db.now, log };
  background.push(
    ...removals,
    deletion,
    deliveries,
    startJobs(db, { ...jobs, kinds: JOB_KINDS }),
    startRemoval(db, openRevocations(db, jobs), failed("token revocation failed")),
    startRecordingUses(db, uses, failed("cannot record token usage")),
    startUseLedger(db, ledger, failed("cannot record permission use")),
    startCoverageDays(db, clock, failed("cannot count the coverage of tag keys")),
    startRecordingActivity(db, activity, failed("cannot record session usage")),
    startTellingRewritten(db, config, {
      onWarning: (message) => log.warn(message),
      onError: failed("policy and auth method check failed"),
    }),
    startResealing(db, { onError: failed("re-encryption failed") }),
    auditOutput,
    ...[backups, late.nodes].filter((work) => work !== undefined),
  );
  return auditOutput.reopen;
}

function failing(log: Logger) {
  return (text: string) => (error: unknown) => log.error({ err: error }, text);
}

/** Makes the function that finds the actor of a token, for jobs. Jobs call it repeatedly while they run. */
function accessorResolver({
  db,
  config,
  clock,
  useMemory,
}: Pick<WorkOptions, "db" | "config" | "clock" | "useMemory">) {
  const { datacenter, defaultPolicy, edition } = config;
  const resolve = createAccessorResolver(db, { nodeName: hostname(), datacenter, defaultPolicy, edition }, db.now);
  return async (accessorId: string) => {
    const actor = await resolve(accessorId);
    if (actor === undefined) return clock.isInDoubt() ? ("uncertain" as const) : undefined;
    return withRecorder(useMemory, actor);
  };
}

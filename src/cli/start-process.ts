import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import { NO_PROGRESS, startDeletion, type BackgroundDeletion } from "../acl/deletion/removal.ts";
import { checkEdition } from "../acl/namespaces/edition.ts";
import { bootstrapTokens } from "../acl/tokens/bootstrap.ts";
import { createSessionActivity, startRecordingActivity } from "../acl/sessions/activity.ts";
import { createAccessorResolver } from "../acl/tokens/resolve.ts";
import { openRevocations } from "../acl/tokens/revocation/engine.ts";
import { createTokenUses, startRecordingUses } from "../acl/tokens/uses.ts";
import { type ScheduledBackups, startScheduledBackups } from "../backup/schedule/scheduled.ts";
import { buildApp } from "../app.ts";
import { type AuditOutput, NOTHING_GIVEN, startAuditOutput } from "../audit/output.ts";
import type { Config } from "../config.ts";
import { readVersion } from "../config/version.ts";
import { NO_CONSOLE, startConsole } from "../console/start.ts";
import { closeGracefully } from "../http/lifecycle.ts";
import { startClockWatch } from "../storage/clock/watch.ts";
import { type Background, startRemoval } from "../storage/operator/removal.ts";
import type { Database } from "../storage/database.ts";
import { asStartError } from "../storage/proofs/damaged-rows.ts";
import { startResealing } from "../storage/keys/resealing.ts";
import { startKeyWatch } from "../storage/keys/watch.ts";
import { nodeName, startNodeNotes, type NodeNotes } from "../storage/feed/nodes.ts";
import { LateClose } from "../storage/open.ts";
import { checkSettings } from "../storage/settings.ts";
import { StartError } from "../storage/start-error.ts";
import { createTargets } from "../outbound/targets.ts";
import { NO_DELIVERIES, startDeliveries, type Deliveries } from "../tag-webhooks/worker.ts";
import { announce, checkAddress, listen, writeAddressFile } from "./address.ts";
import { givenMasterKey } from "./given-master-key.ts";
import type { ProcessLog } from "./logger.ts";
import { openStorage } from "./open-storage.ts";
import type { Parent } from "./parent.ts";
import { startJobs } from "../tag-jobs/engine.ts";
import { JOB_KINDS } from "../tag-jobs/kinds.ts";
import { startTracing, type Tracing } from "../tracing/tracing.ts";
import { startRemovals } from "./removals.ts";
import { startTellingRewritten } from "./rewritten-policies.ts";
import { settingsOf } from "./settings.ts";
import { startThreads, type Threads } from "./threads.ts";
import { type CertificateWatch, readKeyPair, watchCertificate } from "./tls.ts";

const CLOCK_IN_DOUBT =
  "1 while the clock is more than a day from the time that has passed, and nothing is removed for its age";
const CERTIFICATE_END = "When the certificate of --tls-cert ends, in seconds since the epoch";

/**
 * Starts one process that answers requests: it opens storage, listens, and returns when it answers. From then on
 * SIGTERM and SIGINT end the process. SIGHUP reads the certificate again and reopens `--audit-file`.
 *
 * @param parent of a process that shares the port with others; it reports for all of them that they listen
 * @returns listen URL
 * @throws ConfigError or StartError, one line each, when it must not or cannot start
 */
export async function startProcess(
  config: Config,
  processLog: ProcessLog,
  parent: Parent | undefined,
): Promise<string> {
  const { log } = processLog;
  const tls = config.tls && readKeyPair(config.tls);
  const fatal = new AbortController();
  // One that shares the port has it from its parent.
  if (parent === undefined) await checkAddress(config);
  // Once for all threads of the process.
  const masterKey = await givenMasterKey(config);
  const [db, tracing] = await Promise.all([
    openStorage(config, masterKey, processLog, fatal),
    startTracing(config, log),
  ]);
  let app: FastifyInstance | undefined;
  /** Background work, which ends before storage is closed. */
  const background: Background[] = [];
  try {
    await checkEdition(db, config.edition);
    await checkSettings(db, settingsOf(config));
    const failed = (text: string) => (error: unknown) => log.error({ err: error }, text);
    // Before anything is answered: by what a request writes no clock may be judged.
    const clock = await startClockWatch(db, {
      isAccepted: config.acceptClock,
      onWarning: (message) => log.warn(message),
      onError: failed("the clock cannot be watched"),
    });
    background.push(clock);
    const uses = createTokenUses();
    const activity = createSessionActivity();
    const keys = await startKeyWatch(db, {
      onReplaced: (error) => fatal.abort(error),
      onError: (error) => log.error({ err: error }, "the keys cannot be looked at"),
      onWarning: (message) => log.warn(message),
    });
    background.push(keys);
    let deletion: BackgroundDeletion | undefined;
    let deliveries: Deliveries | undefined;
    let auditOutput: AuditOutput | undefined;
    let backups: ScheduledBackups | undefined;
    let nodes: NodeNotes | undefined;
    const builds = parent === undefined;
    const theConsole = config.console === "on" ? startConsole({ log, builds }) : NO_CONSOLE;
    background.push(theConsole);
    app = buildApp({
      config,
      db,
      console: theConsole,
      logger: log,
      tls,
      tracing,
      uses,
      activity,
      refusalsDirectory: config.dataDir,
      deletion: () => deletion?.progress() ?? NO_PROGRESS,
      deliveries: () => deliveries?.progress() ?? NO_DELIVERIES,
      auditOutput: {
        brokenChains: () => auditOutput?.brokenChains() ?? 0,
        ...(config.auditFile === undefined ? {} : { file: () => auditOutput?.file?.() ?? NOTHING_GIVEN }),
        ...(config.auditWebhook === undefined ? {} : { webhook: () => auditOutput?.webhook?.() ?? NOTHING_GIVEN }),
      },
      keys: keys.state,
      backups: config.backupEvery === undefined ? undefined : () => backups,
      otherNodes: async () => (await nodes?.others()) ?? [],
    });
    // The port first: a start that cannot have it must not make a token that nobody is told of. Until that token is there
    // everything is answered 503: whoever comes before it could make one.
    app.lifecycle.phase = "starting";
    const url = await listen(app, config, parent);
    const { port } = app.server.address() as AddressInfo;
    const tokenFile = await bootstrapTokens(
      db,
      {
        dataDir: config.dataDir,
        mode: config.bootstrap,
        initialManagementToken: config.initialManagementToken,
      },
      new Date().toISOString(),
    );
    app.lifecycle.phase = "serving";
    const watch = config.tls && watchCertificate(app.server, config.tls, log);
    if (watch !== undefined) app.metrics.gauge("tessera_certificate_end_seconds", CERTIFICATE_END, watch.endsAt);
    app.metrics.gauge("tessera_clock_in_doubt", CLOCK_IN_DOUBT, () => (clock.isInDoubt() ? 1 : 0));
    const removals = startRemovals(db, clock, failed);
    deletion = startDeletion(db, {
      onProgress: (message, details) => log.info(details, message),
      onError: failed("what is marked for deletion cannot be deleted"),
    });
    deliveries = startDeliveries(
      { db, askFor: createTargets(config), now: db.now },
      failed("webhooks cannot be told of changes"),
    );
    auditOutput = startAuditOutput(db, config, log, clock);
    backups = startScheduledBackups(db, config, clock, log);
    // An embedded database has one server.
    if (db.engine === "postgres") {
      nodes = startNodeNotes(
        db,
        { name: nodeName(), version: readVersion() },
        failed("this server is not seen by others"),
      );
    }
    const jobs = { actorOf: accessorResolver(db, config), now: db.now, log };
    background.push(
      ...removals,
      deletion,
      deliveries,
      startJobs(db, { ...jobs, kinds: JOB_KINDS }),
      startRemoval(db, openRevocations(db, jobs), failed("tokens cannot be revoked")),
      startRecordingUses(db, uses, failed("uses of tokens cannot be noted")),
      startRecordingActivity(db, activity, failed("uses of sessions cannot be noted")),
      startTellingRewritten(db, config, {
        onWarning: (message) => log.warn(message),
        onError: failed("policies and auth methods cannot be looked through"),
      }),
      startResealing(db, { onError: failed("what is sealed cannot be sealed anew") }),
      auditOutput,
      ...[backups, nodes].filter((work) => work !== undefined),
    );
    const { follow } = db;
    const instanceId = tracing?.instanceId;
    const threads =
      config.threads > 1 && follow !== undefined
        ? startThreads({ config, masterKey, app, follow, port, processLog, uses, activity, instanceId })
        : undefined;
    const { drainDelay: drainMs } = config;
    const { reopen } = auditOutput;
    const stopped = { app, db, tracing, background, threads, parent };
    handleSignals({ ...stopped, processLog, watch, reopen, fatal: fatal.signal, drainMs });
    parent?.shareNumbers(app.metrics);
    if (parent === undefined && config.addressFile !== undefined) writeAddressFile(config.addressFile, url);
    log.info({ url, engine: db.engine, edition: config.edition }, "listening");
    if (parent === undefined) announce(config, url, tokenFile);
    else parent.listening({ url, tokenFile });
    return url;
  } catch (error) {
    // The reason for the end is what counts, not how it went.
    await closeAll(app, background, db).catch((failure: unknown) => log.error({ err: failure }, "the stop failed"));
    throw asStartError(error);
  }
}

/** Makes the function that finds the actor of a token, for jobs. Jobs call it repeatedly while they run. */
function accessorResolver(db: Database, { datacenter, defaultPolicy, edition }: Config) {
  const resolve = createAccessorResolver(db, { nodeName: hostname(), datacenter, defaultPolicy, edition }, db.now);
  return async (accessorId: string) => resolve(accessorId);
}

async function closeAll(
  app: FastifyInstance | undefined,
  background: readonly Background[],
  db: Database,
): Promise<void> {
  try {
    await app?.close();
    await Promise.all(background.map((work) => work.stop()));
  } finally {
    await db.close();
  }
}

interface Running {
  app: FastifyInstance;
  db: Database;
  tracing: Tracing | undefined;
  processLog: ProcessLog;
  watch: CertificateWatch | undefined;
  /** Begins files anew that were given another name. */
  reopen: () => void;
  background: readonly Background[];
  /** Aborted when storage can no longer keep its promises. */
  fatal: AbortSignal;
  parent: Parent | undefined;
  threads: Threads | undefined;
  /** Milliseconds for which connections are still accepted after the signal. */
  drainMs: number;
}

function handleSignals({
  app,
  db,
  tracing,
  processLog,
  watch,
  reopen,
  background,
  fatal,
  parent,
  threads,
  drainMs,
}: Running): void {
  const { log, flush } = processLog;
  let stopping = false;
  const stop = async (reason: string, exitCode: number) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, "stopping");
    watch?.stop();
    try {
      const closePort = parent && (async () => parent.leave());
      const drain = fatal.aborted ? 0 : drainMs;
      await closeGracefully(app, { drainMs: drain, closePort, others: threads?.stop(drain) });
      await Promise.all(background.map((work) => work.stop()));
      await db.close();
      await tracing?.stop();
      log.info("stopped");
    } catch (error) {
      log.error({ err: error }, "the stop failed");
      // All writes that were answered are on disk.
      if (error instanceof LateClose) {
        flush();
        process.kill(process.pid, "SIGKILL");
      }
    }
    flush();
    process.exit(exitCode);
  };
  process.on("SIGTERM", (signal) => void stop(signal, 0));
  // Ctrl-C reaches every process of a terminal: of those that share a port, the parent decides.
  if (parent === undefined) process.on("SIGINT", (signal) => void stop(signal, 0));
  parent?.onGone(() => void stop("the parent is gone", 0));
  process.on("SIGHUP", () => {
    watch?.reload();
    reopen();
    threads?.reload();
  });
  const stopFailed = () => {
    const reason: unknown = fatal.reason;
    // A StartError is a reason for which a startup would fail too; all others come from the disk.
    const isRefused = reason instanceof StartError;
    log.fatal({ err: reason }, isRefused ? reason.message : "storage failed: what was written may not be kept");
    void stop(isRefused ? "the keys were replaced" : "storage failed", 1);
  };
  if (fatal.aborted) stopFailed();
  else fatal.addEventListener("abort", stopFailed);
}

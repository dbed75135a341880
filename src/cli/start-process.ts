import type { FastifyInstance } from "fastify";
import { checkEdition } from "../acl/namespaces/edition.ts";
import { bootstrapTokens } from "../acl/tokens/bootstrap.ts";
import { createSessionActivity } from "../acl/sessions/activity.ts";
import { createTokenUses } from "../acl/tokens/uses.ts";
import { UseFlusher } from "../use/flush.ts";
import { UseMemory } from "../records/uses/memory.ts";
import { buildApp } from "../app.ts";
import type { Config } from "../config.ts";
import { NO_CONSOLE, startConsole } from "../console/start.ts";
import { closeGracefully } from "../http/lifecycle.ts";
import type { Background } from "../storage/operator/removal.ts";
import type { ClockWatch } from "../storage/clock/watch.ts";
import type { Database } from "../storage/database.ts";
import { asStartError } from "../storage/proofs/damaged-rows.ts";
import { LateClose } from "../storage/open.ts";
import { checkSettings } from "../storage/settings.ts";
import { StartError } from "../storage/start-error.ts";
import { announce, checkAddress, listen, writeAddressFile } from "./address.ts";
import { givenMasterKey } from "./given-master-key.ts";
import type { ProcessLog } from "./logger.ts";
import { openStorage } from "./open-storage.ts";
import type { Parent } from "./parent.ts";
import { startTracing, type Tracing } from "../tracing/tracing.ts";
import { settingsOf } from "./settings.ts";
import { type LateWork, progressOf, startWatches, startWork } from "./start-work.ts";
import { type CertificateWatch, readKeyPair, watchCertificate } from "./tls.ts";

const CLOCK_IN_DOUBT = "1 while the system clock is more than a day off and expired data is not deleted";
const CERTIFICATE_END = "Expiry of the --tls-cert certificate, in seconds since the epoch";

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
  const masterKey = await givenMasterKey(config);
  const [opened, tracing] = await Promise.all([
    openStorage(config, masterKey, processLog, fatal),
    startTracing(config, log),
  ]);
  let app: FastifyInstance | undefined;
  /** Background work, which ends before storage is closed. */
  const background: Background[] = [];
  try {
    await checkEdition(opened, config.edition);
    await checkSettings(opened, settingsOf(config));
    const { clock, keys } = await startWatches(opened, config, log, fatal, background);
    const db: Database = { ...opened, forGood: clock };
    const [uses, activity] = [createTokenUses(), createSessionActivity()];
    const useMemory =
      config.useLedger === "on" ? new UseMemory({ identities: config.useIdentities === "on" }) : undefined;
    const ledger = useMemory && new UseFlusher(db, useMemory);
    const late: LateWork = {};
    const theConsole = config.console === "on" ? startConsole({ log, builds: parent === undefined }) : NO_CONSOLE;
    background.push(theConsole);
    const seen = { uses, activity, useMemory, tracing, refusalsDirectory: config.dataDir, keys: keys.state };
    app = buildApp({ config, db, console: theConsole, logger: log, tls, ...seen, ...progressOf(late, config) });
    // The port first: a start that cannot have it must not make a token that nobody is told of. Until that token is there
    // everything is answered 503: whoever comes before it could make one.
    app.lifecycle.phase = "starting";
    const url = await listen(app, config, parent);
    const tokenFile = await bootstrap(db, config);
    app.lifecycle.phase = "serving";
    const watch = config.tls && watchCertificate(app.server, config.tls, log);
    measureWatches(app, watch, clock);
    const reopen = startWork(late, { db, config, log, clock, uses, activity, ledger, useMemory }, background);
    const stopped = { app, db, tracing, background, parent };
    handleSignals({ ...stopped, processLog, watch, reopen, fatal: fatal.signal, drainMs: config.drainDelay });
    parent?.shareNumbers(app.metrics);
    const tell = () => log.info({ url, engine: db.engine, edition: config.edition }, "listening");
    tellListening(config, parent, { url, tokenFile }, tell);
    return url;
  } catch (error) {
    // The reason for the end is what counts, not how it went.
    await closeAll(app, background, opened).catch((failure: unknown) => log.error({ err: failure }, "shutdown failed"));
    throw asStartError(error);
  }
}

/** Tells the parent, or the operator, that the server listens. @param log writes the log line, after the address file */
function tellListening(
  config: Config,
  parent: Parent | undefined,
  listening: Parameters<Parent["listening"]>[0],
  log: () => void,
): void {
  if (parent === undefined && config.addressFile !== undefined) writeAddressFile(config.addressFile, listening.url);
  log();
  if (parent === undefined) announce(config, listening.url, listening.tokenFile);
  else parent.listening(listening);
}

/** Makes the first token where there is none. @returns the file that holds it */
function bootstrap(db: Database, { dataDir, bootstrap: mode, initialManagementToken }: Config) {
  return bootstrapTokens(db, { dataDir, mode, initialManagementToken }, new Date().toISOString());
}

function measureWatches(
  { metrics }: FastifyInstance,
  certificate: CertificateWatch | undefined,
  clock: Pick<ClockWatch, "isInDoubt">,
): void {
  if (certificate !== undefined) {
    metrics.gauge("tessera_certificate_end_seconds", CERTIFICATE_END, certificate.endsAt);
  }
  metrics.gauge("tessera_clock_in_doubt", CLOCK_IN_DOUBT, () => (clock.isInDoubt() ? 1 : 0));
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
      await closeGracefully(app, { drainMs: drain, closePort });
      await Promise.all(background.map((work) => work.stop()));
      await db.close();
      await tracing?.stop();
      log.info("stopped");
    } catch (error) {
      log.error({ err: error }, "shutdown failed");
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
  parent?.onGone(() => void stop("parent process exited", 0));
  process.on("SIGHUP", () => {
    watch?.reload();
    reopen();
  });
  const stopFailed = () => {
    const reason: unknown = fatal.reason;
    // A StartError is a reason for which a startup would fail too; all others come from the disk.
    const isRefused = reason instanceof StartError;
    log.fatal({ err: reason }, isRefused ? reason.message : "storage failure: recent writes may be lost");
    void stop(isRefused ? "encryption keys were replaced" : "storage failure", 1);
  };
  if (fatal.aborted) stopFailed();
  else fatal.addEventListener("abort", stopFailed);
}

import type { FastifyInstance } from "fastify";
import { NO_PROGRESS, startDeletion, type Deletion } from "../acl/deletion/deleter.ts";
import { checkEdition } from "../acl/namespaces/edition.ts";
import { bootstrapTokens } from "../acl/tokens/bootstrap.ts";
import { startSweeper } from "../acl/login/sweeper.ts";
import { startReaper } from "../acl/tokens/reaper.ts";
import { buildApp } from "../app.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { errorCode } from "../config/sources.ts";
import type { Background } from "../storage/background.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open.ts";
import { listen, writeAddressFile } from "./address.ts";
import { openLog, type ProcessLog } from "./logger.ts";
import { closeGracefully } from "./stop.ts";
import { type CertificateWatch, readKeyPair, watchCertificate } from "./tls.ts";

/**
 * `tessera serve`: starts the server and returns when it answers. From then on
 * SIGTERM and SIGINT end the process, and SIGHUP reads the certificate again.
 *
 * @throws ConfigError or StartError, one line each, when it must not or cannot start
 */
export async function serve(args: readonly string[]): Promise<void> {
  const config = readConfig(args);
  const processLog = openLog(config.logLevel);
  try {
    await start(config, processLog);
  } catch (error) {
    processLog.flush();
    throw error;
  }
}

async function start(config: Config, processLog: ProcessLog): Promise<void> {
  const { log } = processLog;
  for (const warning of config.warnings) log.warn(warning);
  // Warnings of libraries are lines of the log like any other, not text in between.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn(warning.message));
  const tls = config.tls && readKeyPair(config.tls);
  const fatal = new AbortController();
  const db = await openStorage(config, processLog, fatal);
  let app: FastifyInstance | undefined;
  try {
    await checkEdition(db, config.edition);
    let deletion: Deletion | undefined;
    app = buildApp({ config, db, logger: log, tls, deletion: () => deletion?.progress() ?? NO_PROGRESS });
    // The port first: a start that cannot have it must not make a token that nobody is told of.
    const url = await listen(app, config);
    const tokenFile = await bootstrapTokens(
      db,
      {
        dataDir: config.dataDir,
        mode: config.bootstrap,
        initialManagementToken: config.initialManagementToken,
      },
      new Date().toISOString(),
    );
    const watch = config.tls && watchCertificate(app.server, config.tls, log);
    const reaper = startReaper(db, Date.now, (error) => log.error({ err: error }, "expired tokens cannot be removed"));
    const sweeper = startSweeper(db, Date.now, (error) => log.error({ err: error }, "old notes cannot be removed"));
    deletion = startDeletion(db, {
      onProgress: (message, details) => log.info(details, message),
      onError: (error) => log.error({ err: error }, "what is marked for deletion cannot be deleted"),
    });
    handleSignals({ app, db, processLog, watch, background: [reaper, sweeper, deletion], fatal: fatal.signal });
    if (config.addressFile !== undefined) writeAddressFile(config.addressFile, url);
    log.info({ url, engine: db.engine, edition: config.edition }, "listening");
    announce(config, url, tokenFile);
  } catch (error) {
    await app?.close();
    await db.close();
    throw error;
  }
}

async function openStorage(config: Config, { log }: ProcessLog, fatal: AbortController): Promise<Database> {
  try {
    return await openDatabase({
      url: config.database.url,
      dataDir: config.dataDir,
      keyFile: config.keyFile,
      feed: config.feed,
      replica: config.replica,
      onFatal: (error) => fatal.abort(error),
      onWarning: (message) => log.warn(message),
    });
  } catch (error) {
    // What the file system refuses is for the operator to mend, like any other setting.
    if (!(error instanceof Error && "syscall" in error && "path" in error)) throw error;
    throw new ConfigError(
      `${String(error.path)} cannot be used (${errorCode(error)}); check --data-dir and its permissions`,
    );
  }
}

interface Running {
  app: FastifyInstance;
  db: Database;
  processLog: ProcessLog;
  watch: CertificateWatch | undefined;
  background: readonly Background[];
  /** Aborted when storage can no longer keep its promises. */
  fatal: AbortSignal;
}

function handleSignals({ app, db, processLog, watch, background, fatal }: Running): void {
  const { log, flush } = processLog;
  let stopping = false;
  const stop = async (reason: string, exitCode: number) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, "stopping");
    watch?.stop();
    try {
      await closeGracefully(app);
      await Promise.all(background.map((work) => work.stop()));
      await db.close();
      log.info("stopped");
    } catch (error) {
      log.error({ err: error }, "the stop failed");
    }
    flush();
    process.exit(exitCode);
  };
  process.on("SIGTERM", (signal) => void stop(signal, 0));
  process.on("SIGINT", (signal) => void stop(signal, 0));
  process.on("SIGHUP", () => watch?.reload());
  const stopFailed = () => {
    log.fatal({ err: fatal.reason as unknown }, "storage failed: what was written may not be kept");
    void stop("storage failed", 1);
  };
  if (fatal.aborted) stopFailed();
  else fatal.addEventListener("abort", stopFailed);
}

/** For the person at the terminal, beside the log. Says where the first token lies, never what it is. */
function announce(config: Config, url: string, tokenFile: string | undefined): void {
  const lines = [`Tessera listens on ${url}`];
  if (tokenFile !== undefined) {
    const insecure = config.tls === undefined ? "" : "--insecure ";
    lines.push(
      `The first management token is in ${tokenFile}`,
      `Try: curl ${insecure}-H "Authorization: Bearer $(cat ${shellWord(tokenFile)})" ${url}/api/v2/account/details`,
    );
  }
  process.stderr.write(`${lines.join("\n")}\n`);
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

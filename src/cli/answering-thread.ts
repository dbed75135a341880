/** A thread that answers reads beside the main one, which makes all writes. See docs/operations/processes.md. */
import { once } from "node:events";
import { parentPort, type Transferable, workerData } from "node:worker_threads";
import { createSessionActivity, type SessionActivity } from "../acl/sessions/activity.ts";
import { createTokenUses, type TokenUses } from "../acl/tokens/uses.ts";
import { buildApp } from "../app.ts";
import { dayOf } from "../use/flush.ts";
import { UseMemory } from "../records/uses/memory.ts";
import type { Gathered } from "../records/refusals/refusal.ts";
import { transferredOf, type ForwardedAnswer, type ForwardedRequest } from "../http/forwarding/messages.ts";
import { closeGracefully } from "../http/lifecycle.ts";
import { openFollowing } from "../storage/open.ts";
import { startTracing } from "../tracing/tracing.ts";
import { describeFailure } from "./failure.ts";
import { openLog, takeWarnings } from "./logger.ts";
import type { MainMessage, ThreadMessage, ThreadWork } from "./thread-messages.ts";
import { readKeyPair, watchCertificate } from "./tls.ts";

const { config, masterKey, following, port, instanceId } = workerData as ThreadWork;
const processLog = openLog(config.logLevel, true);
const { log, flush } = processLog;
takeWarnings(processLog);
const asked = new Map<number, (answer: ForwardedAnswer) => void>();
let lastId = 0;
/** How often the main thread is told of tokens that were used, and of how many in one message. */
const USES_MS = 1000;
const MOST_USES = 1000;
/** How often the main thread is told of permissions that were used. It writes them every three seconds. */
const PERMISSIONS_MS = 2000;

function tell(message: ThreadMessage, transferred: Transferable[] = []): void {
  parentPort?.postMessage(message, transferred);
}

/** Forwards a request to the main thread. This thread ends when the main thread ends. */
function ask(request: ForwardedRequest, onAnswer: (answer: ForwardedAnswer) => void): () => void {
  lastId += 1;
  const id = lastId;
  asked.set(id, onAnswer);
  tell({ type: "request", id, request }, transferredOf(request));
  return () => {
    if (asked.delete(id)) tell({ type: "gone", id });
  };
}

/** Tells the main thread, which writes them, of used tokens and sessions. */
function tellUses(uses: TokenUses, activity: SessionActivity): void {
  for (;;) {
    const tokens = uses.take(MOST_USES);
    if (tokens.length === 0) break;
    tell({ type: "used", tokens });
  }
  const sessions = activity.take(MOST_USES);
  if (sessions.length > 0) tell({ type: "active", sessions });
}

/** Tells the main thread of used permissions. */
async function tellPermissions(useMemory: UseMemory | undefined, now: () => number): Promise<void> {
  const taken = (await useMemory?.take(dayOf(now()))) ?? [];
  for (let from = 0; from < taken.length; from += MOST_USES)
    tell({ type: "permissions-used", uses: taken.slice(from, from + MOST_USES) });
  useMemory?.release(taken.length);
}

async function start(): Promise<void> {
  const { keyFile, dataDir } = config;
  const onWarning = (message: string) => log.warn(message);
  const db = await openFollowing({ url: config.database.url, dataDir, keyFile, masterKey, onWarning }, following);
  const tracing = await startTracing(config, log, instanceId);
  const tls = config.tls && readKeyPair(config.tls);
  const uses = createTokenUses();
  const activity = createSessionActivity();
  const useMemory =
    config.useLedger === "on" ? new UseMemory({ identities: config.useIdentities === "on" }) : undefined;
  const handRefusals = (gathered: readonly Gathered[]): void => tell({ type: "refusals", gathered });
  const app = buildApp({
    config,
    db,
    logger: log,
    tls,
    forward: ask,
    uses,
    activity,
    useMemory,
    handRefusals,
    tracing,
  });
  await app.ready();
  app.server.listen({ host: config.listen.host, port, reusePort: true });
  await once(app.server, "listening");
  const watch = config.tls && watchCertificate(app.server, config.tls, log);
  parentPort?.on("message", (message: MainMessage) => {
    if (message.type === "answer") {
      const onAnswer = asked.get(message.id);
      asked.delete(message.id);
      onAnswer?.(message.answer);
    } else if (message.type === "tell-numbers") {
      void app.metrics.numbers().then((numbers) => tell({ type: "my-numbers", id: message.id, numbers }));
    } else if (message.type === "reload") watch?.reload();
    else void stop(message.drainMs);
  });
  tell({ type: "listening" });
  setInterval(() => tellUses(uses, activity), USES_MS).unref();
  setInterval(() => void tellPermissions(useMemory, db.now), PERMISSIONS_MS).unref();

  async function stop(drainMs: number): Promise<void> {
    watch?.stop();
    try {
      await closeGracefully(app, { drainMs });
      tellUses(uses, activity);
      await tellPermissions(useMemory, db.now);
      await db.close();
      await tracing?.stop();
    } catch (error) {
      log.error({ err: error }, "failed to stop a thread");
    }
    flush();
    process.exit(0);
  }
}

try {
  await start();
} catch (error) {
  log.debug({ err: error }, "failed to start a thread");
  tell({ type: "refused", message: describeFailure(error).message });
  flush();
  process.exit(1);
}

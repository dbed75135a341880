/** The threads that answer reads beside the main one, on one port, as the main one sees them. */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { FastifyInstance } from "fastify";
import type { SessionActivity } from "../acl/sessions/activity.ts";
import type { TokenUses } from "../acl/tokens/uses.ts";
import type { UseFlusher } from "../use/flush.ts";
import type { Config } from "../config.ts";
import { answerForwarded, type Forwarded } from "../http/forwarding/answer.ts";
import { bytesOf, type ForwardedRequest } from "../http/forwarding/messages.ts";
import type { Database } from "../storage/database.ts";
import { StartError } from "../storage/start-error.ts";
import type { Child } from "./child.ts";
import type { ProcessLog } from "./logger.ts";
import type { Listening } from "./messages.ts";
import { createNumbersDesk } from "./process-numbers.ts";
import { keepAlive } from "./processes.ts";
import type { MainMessage, ThreadMessage, ThreadWork } from "./thread-messages.ts";

/** A thread cuts what still runs 10 s after its drain time; whoever has not ended some seconds later never will. */
const STOP_MS = 15_000;

export interface Threads {
  /** Makes them read the certificate again. */
  reload(): void;
  /** Ends them when what they have received is answered, and resolves when none is left. @param drainMs for which they still accept connections */
  stop(drainMs: number): Promise<void>;
}

interface ThreadsOptions {
  config: Config;
  /** Key that the command of `--key-command` printed. */
  masterKey: Uint8Array | undefined;
  /** Answers what threads forward, and `/metrics` for all. */
  app: FastifyInstance;
  /** Follows the commits of the database, for the threads. */
  follow: NonNullable<Database["follow"]>;
  port: number;
  processLog: ProcessLog;
  /** Told of the tokens that they see used. */
  uses: Pick<TokenUses, "note">;
  /** Writes uses of permissions; undefined where no ledger is kept. */
  ledger: UseFlusher | undefined;
  /** Told of the sessions of the console that they see used. */
  activity: Pick<SessionActivity, "note">;
  /** ID of the process in traces, where there are any. */
  instanceId: string | undefined;
}

/** Starts all threads but the main one. Returns at once: each answers as soon as it can, and is replaced when it ends. */
export function startThreads(options: ThreadsOptions): Threads {
  const { config, app, processLog } = options;
  const { log } = processLog;
  const threads = new Map<Child, Worker>();
  const desk = createNumbersDesk(threads, () => 0);
  let hasEnded = false;

  const fork = () => startThread(options, threads, desk);
  const first = Array.from({ length: config.threads - 1 }, () => fork());
  const stop = { hasBegun: () => hasEnded };
  for (const child of first) void keepAlive(child, { fork, stop, processLog, kind: "thread" });
  void Promise.allSettled(first.map((child) => child.listening)).then((all) => {
    const listening = all.filter(({ status }) => status === "fulfilled").length + 1;
    if (!hasEnded) log.info({ threads: listening }, "threads listening");
  });
  app.metrics.speakForAll(() => desk.all());
  app.metrics.gauge("tessera_threads", "Number of threads that serve requests", () => {
    return 1 + [...threads.keys()].filter((child) => child.isListening()).length;
  });

  return {
    reload() {
      for (const worker of threads.values()) worker.postMessage({ type: "reload" } satisfies MainMessage);
    },
    async stop(drainMs) {
      hasEnded = true;
      const ended = Promise.all([...threads.keys()].map((child) => child.ended));
      for (const worker of threads.values()) worker.postMessage({ type: "stop", drainMs } satisfies MainMessage);
      const late = new AbortController();
      const killed = sleep(STOP_MS + drainMs, "late", { signal: late.signal }).catch(() => undefined);
      if ((await Promise.race([ended, killed])) === "late") {
        log.error("threads did not stop in time; killed");
        for (const child of threads.keys()) child.signal("SIGKILL");
        await ended;
      }
      late.abort();
    },
  };
}

/** Beside this file: `.ts` in a checkout, `.js` in the published package. */
function entry(): URL {
  return new URL(`./answering-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
}

/** Starts one thread, which is in `threads` until it ends. */
function startThread(
  { config, masterKey, app, follow, port, processLog, uses, activity, ledger, instanceId }: ThreadsOptions,
  threads: Map<Child, Worker>,
  desk: ReturnType<typeof createNumbersDesk>,
): Child {
  const { following, leave } = follow(() => {
    processLog.log.error({ thread: worker.threadId }, "terminating a thread that stopped listening");
    void worker.terminate();
  });
  const work: ThreadWork = { config, masterKey, following, port, instanceId };
  const worker = new Worker(entry(), { workerData: work, transferList: [following.port] });
  const start = Promise.withResolvers<Listening>();
  const end = Promise.withResolvers<string>();
  start.promise.catch(() => undefined);
  let isListening = false;
  let how = "";
  const tell = (message: MainMessage, transferred?: ArrayBuffer[]): void => worker.postMessage(message, transferred);
  const requests = createForwardedRequests(app, tell);
  const child: Child = {
    pid: worker.threadId,
    listening: start.promise,
    ended: end.promise,
    isListening: () => isListening,
    send(message) {
      if (message.type === "tell-numbers") tell(message);
    },
    signal: () => void worker.terminate(),
  };
  worker.on("message", (message: ThreadMessage) => {
    if (message.type === "request") requests.answer(message.id, message.request);
    else if (message.type === "gone") requests.abandon(message.id);
    else if (message.type === "refusals") app.refusals.merge(message.gathered);
    else if (message.type === "used") for (const used of message.tokens) uses.note(used);
    else if (message.type === "permissions-used") ledger?.add(message.uses);
    else if (message.type === "active") for (const active of message.sessions) activity.note(active);
    else if (message.type === "my-numbers") desk.onMessage(child, message);
    else if (message.type === "refused") start.reject(new StartError(message.message));
    else {
      isListening = true;
      start.resolve({ url: "", tokenFile: undefined });
    }
  });
  worker.on("error", (error) => {
    how = error instanceof Error ? error.message : String(error);
  });
  worker.on("exit", (code) => {
    isListening = false;
    leave();
    requests.abandonAll();
    threads.delete(child);
    desk.forget(child);
    how ||= `exit code ${code}`;
    start.reject(new Error(`a thread exited before it was listening: ${how}`));
    end.resolve(how);
  });
  threads.set(child, worker);
  return child;
}

/** The requests of one thread that are being answered, by the numbers that it gives them. */
function createForwardedRequests(
  app: FastifyInstance,
  tell: (message: MainMessage, transferred?: ArrayBuffer[]) => void,
) {
  const requests = new Map<number, Forwarded>();
  return {
    answer(id: number, request: ForwardedRequest): void {
      const forwarded = answerForwarded(app, request, (given) => {
        requests.delete(id);
        tell({ type: "answer", id, answer: given }, bytesOf(given.body));
      });
      if (!forwarded.isOver()) requests.set(id, forwarded);
    },
    abandon: (id: number): void => requests.get(id)?.abandon(),
    abandonAll(): void {
      for (const forwarded of requests.values()) forwarded.abandon();
      requests.clear();
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import { buildIfStale } from "../console/build.ts";
import { StartError } from "../storage/start-error.ts";
import { writeAddressFile, announce } from "./address.ts";
import { type Child, forkChild } from "./child.ts";
import type { ProcessLog } from "./logger.ts";
import type { Listening, NumbersMessage, PortMessage } from "./messages.ts";
import { createNumbersDesk } from "./process-numbers.ts";
import { sharePort, type SharedPort } from "./shared-port.ts";

/** A process that lived so long did not end for the reason for which the one before it did. */
const STABLE_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The parent of `--processes`: owns the port, hands each connection to the next process, replaces processes that end,
 * and returns when all of them listen. It opens no database and answers nothing itself. From then on SIGTERM and
 * SIGINT end them all, and SIGHUP reads the certificate again.
 *
 * @returns where they listen; undefined when they were stopped before
 * @throws ConfigError or StartError, one line each, when they must not or cannot start; none is left then
 */
export async function startProcesses(config: Config, processLog: ProcessLog): Promise<string | undefined> {
  const { log } = processLog;
  const children = new Set<Child>();
  const port = sharePort(config.listen);
  const stop = stopBySignals(children, port, processLog, config.drainDelay);
  const desk = createNumbersDesk(children);
  const onMessage = (child: Child, message: NumbersMessage | PortMessage): void => {
    if ("numbers" in message) desk.onMessage(child, message);
    else port.onMessage(child, message);
  };
  process.on("SIGHUP", () => {
    for (const child of children) if (child.isListening()) child.signal("SIGHUP");
  });
  const fork = (): Child => {
    const child = forkChild(onMessage);
    children.add(child);
    void child.ended.then(() => {
      children.delete(child);
      desk.forget(child);
      port.forget(child);
    });
    return child;
  };
  try {
    const started = await startAll(fork, config, stop);
    if (stop.hasBegun()) return undefined;
    // For all of them.
    if (config.console === "on") void buildIfStale(log);
    const { url, tokenFile } = started.first;
    if (config.addressFile !== undefined) writeAddressFile(config.addressFile, url);
    log.info({ url, processes: config.processes }, "all processes listening");
    announce(config, url, tokenFile);
    for (const child of started.children) void keepAlive(child, { fork, stop, processLog });
    return url;
  } catch (error) {
    // The code that requested the stop waits for it elsewhere.
    if (stop.hasBegun()) return undefined;
    await stop.all();
    throw error;
  }
}

/** One alone first: it brings the schema up to date and makes the first token. Then all the others at once. */
async function startAll(
  fork: () => Child,
  { processes }: Config,
  stop: Stop,
): Promise<{ first: Listening; children: Child[] }> {
  const alone = fork();
  const first = await alone.listening;
  const children = [alone];
  while (!stop.hasBegun() && children.length < processes) children.push(fork());
  await Promise.all(children.map((child) => child.listening));
  return { first, children };
}

interface Keeping {
  fork: () => Child;
  stop: Pick<Stop, "hasBegun">;
  processLog: ProcessLog;
}

/** Puts a new process in the place of one that has ended, time and again. */
async function keepAlive(child: Child, { fork, stop, processLog }: Keeping): Promise<void> {
  const { log } = processLog;
  let current = child;
  for (let failures = 0; ;) {
    const since = performance.now();
    const how = await current.ended;
    if (stop.hasBegun()) return;
    failures = performance.now() - since < STABLE_MS ? failures + 1 : 1;
    const pauseMs = pauseAfter(failures);
    log.error({ process: current.pid, how, pauseMs }, "a process exited; starting a replacement");
    await sleep(pauseMs);
    if (stop.hasBegun()) return;
    const { pid: replaces } = current;
    current = fork();
    try {
      await current.listening;
      log.info({ process: current.pid, replaces }, "a process was replaced");
    } catch (error) {
      // The others go on; this one is tried again.
      if (error instanceof StartError) log.error({ process: current.pid, reason: error.message }, "startup failed");
    }
  }
}

/** The first time at once: most processes end for a reason that is over. @returns milliseconds */
function pauseAfter(failures: number): number {
  return failures === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS);
}

/** A child cuts what still runs 10 s after its drain time; whoever has not ended some seconds later never will. */
const STOP_MS = 15_000;

/**
 * Time within which a second signal is part of the first request. Under npm, Ctrl-C sends the signal twice: once from
 * the terminal and once from npm.
 */
const SAME_WISH_MS = 1000;

interface Stop {
  /** Whether the children are to end, and no new one may be started. */
  hasBegun(): boolean;
  /** Ends the children and returns when none is left. @returns whether each ended by itself */
  all(): Promise<boolean>;
  /** The same for a reason that is logged, and then ends this process. */
  exit(reason: string, exitCode: number): Promise<void>;
}

/**
 * Makes what ends the children. SIGTERM and SIGINT do it from now on; when they come again, at once.
 *
 * @param drainMs milliseconds for which connections are still accepted
 */
function stopBySignals(
  children: ReadonlySet<Child>,
  port: Pick<SharedPort, "close">,
  { log, flush }: ProcessLog,
  drainMs: number,
): Stop {
  let begunAt: number | undefined;
  let killed = false;
  const killAll = (reason: string) => {
    killed = true;
    log.error({ reason, processes: [...children].map((child) => child.pid) }, "killing processes");
    for (const child of children) child.signal("SIGKILL");
  };
  const stop: Stop = {
    hasBegun: () => begunAt !== undefined,
    async all() {
      begunAt ??= performance.now();
      for (const child of children) child.signal("SIGTERM");
      void port.close(drainMs);
      const late = new AbortController();
      sleep(STOP_MS + drainMs, undefined, { signal: late.signal }).then(
        () => killAll("processes did not stop in time"),
        () => undefined,
      );
      await Promise.all([...children].map(async (child) => child.ended));
      late.abort();
      return !killed;
    },
    async exit(reason, exitCode) {
      if (begunAt !== undefined) {
        if (performance.now() - begunAt > SAME_WISH_MS) killAll(reason);
        return;
      }
      log.info({ reason }, "stopping");
      const ended = await stop.all();
      log.info("stopped");
      flush();
      process.exit(ended ? exitCode : 1);
    },
  };
  process.on("SIGTERM", (signal) => void stop.exit(signal, 0));
  process.on("SIGINT", (signal) => void stop.exit(signal, 0));
  return stop;
}

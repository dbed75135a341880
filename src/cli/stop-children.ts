import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child.ts";
import type { ProcessLog } from "./logger.ts";
import type { SharedPort } from "./shared-port.ts";

/** A child cuts what still runs 10 s after its drain time; whoever has not ended some seconds later never will. */
const STOP_MS = 15_000;

/** Who presses Ctrl-C under npm sends the signal twice, once by the terminal and once by npm: not yet a second wish. */
const SAME_WISH_MS = 1000;

export interface Stop {
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
export function stopBySignals(
  children: ReadonlySet<Child>,
  port: Pick<SharedPort, "close">,
  { log, flush }: ProcessLog,
  drainMs: number,
): Stop {
  let begunAt: number | undefined;
  let killed = false;
  const killAll = (reason: string) => {
    killed = true;
    log.error({ reason, processes: [...children].map((child) => child.pid) }, "processes are killed");
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
        () => killAll("they did not stop in time"),
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

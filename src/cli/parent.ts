/** The parent of the processes that share a port, as one of them sees it. */
import cluster from "node:cluster";
import type { Metrics, Numbers } from "../http/metrics.ts";
import { CHILD_VARIABLE, type ChildMessage, type Listening, type ParentMessage } from "./messages.ts";

export interface Parent {
  /** This process listens. */
  listening(listening: Listening): void;
  /** This process may not start, for a reason that the parent prints; ends it. */
  refuse(message: string): Promise<never>;
  /** Gives the parent this process's numbers when it asks, and lets `/metrics` answer for all processes. */
  shareNumbers(metrics: Pick<Metrics, "numbers" | "speakForAll">): void;
  /** Calls `stop` when the parent has ended, however that came about. */
  onGone(stop: () => void): void;
}

/** Exit code of a start that was refused; the parent's own is the same. */
const REFUSED = 2;

/** A scrape must not wait for a process that is stuck. */
const OTHERS_MS = 1000;

/** Whether this process was started by a parent of ours. */
export function isChild(): boolean {
  return cluster.isWorker && process.env[CHILD_VARIABLE] !== undefined;
}

/** Takes this process's place beside its parent; the first thing that a child does. */
export function joinParent(): Parent {
  // A terminal signals all its processes: the parent decides what becomes of it.
  process.on("SIGINT", () => undefined);
  process.on("SIGHUP", () => undefined);
  return {
    listening: (listening) => void tell({ type: "listening", ...listening }),
    async refuse(message) {
      await tell({ type: "refused", message });
      process.exit(REFUSED);
    },
    shareNumbers,
    onGone(stop) {
      cluster.worker?.on("disconnect", () => {
        // Otherwise Node ends the process at once, and with it what it is answering.
        if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
        stop();
      });
    },
  };
}

function shareNumbers(metrics: Pick<Metrics, "numbers" | "speakForAll">): void {
  const asked = new Map<number, (numbers: readonly Numbers[]) => void>();
  let lastId = 0;
  process.on("message", (message: ParentMessage) => {
    const { type, id } = message;
    if (type === "others-numbers") asked.get(id)?.(message.numbers);
    else if (type === "tell-numbers") void tellNumbers(metrics, id);
  });
  metrics.speakForAll(async (own) => {
    const { promise, resolve } = Promise.withResolvers<readonly Numbers[]>();
    lastId += 1;
    const id = lastId;
    asked.set(id, resolve);
    const timer = setTimeout(resolve, OTHERS_MS, []);
    await tell({ type: "ask-others", id, numbers: own });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      asked.delete(id);
    }
  });
}

async function tellNumbers(metrics: Pick<Metrics, "numbers">, id: number): Promise<void> {
  await tell({ type: "my-numbers", id, numbers: await metrics.numbers() });
}

/** Resolves when the message is on its way, or cannot be: a parent that is gone is dealt with elsewhere. */
function tell(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

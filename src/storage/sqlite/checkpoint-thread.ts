import type { Worker } from "node:worker_threads";
import type { CheckpointAnswer, CheckpointRequest } from "./checkpoint-worker.ts";
import { startWorker, stopWorker } from "./worker.ts";

/** The thread that copies the WAL into the database file. */
export interface CheckpointThread {
  /** One question at a time. @throws Error when the thread broke; the next question but one goes to a new thread */
  ask(request: CheckpointRequest): Promise<CheckpointAnswer>;
  close(): Promise<void>;
}

/** Starts it. A thread that breaks, asked or idle, leaves no question without an answer and is replaced. */
export function startCheckpointThread(path: string): CheckpointThread {
  let worker: Worker | undefined = start();
  let asked: { resolve: (answer: CheckpointAnswer) => void; reject: (error: Error) => void } | undefined;
  // Why an idle thread broke: the next question is answered with it.
  let broken: Error | undefined;

  function start(): Worker {
    const made = startWorker("checkpoint-worker", { path });
    made.unref();
    made.on("message", (answer: CheckpointAnswer) => {
      made.unref();
      asked?.resolve(answer);
      asked = undefined;
    });
    made.on("error", (error: Error) => lose(made, error));
    made.on("exit", () => lose(made, new Error("the checkpoint thread ended")));
    return made;
  }

  function lose(lost: Worker, error: Error): void {
    if (worker !== lost) return;
    worker = undefined;
    if (asked === undefined) broken = error;
    else asked.reject(error);
    asked = undefined;
  }

  return {
    async ask(request) {
      const error = broken;
      broken = undefined;
      if (error !== undefined) throw error;
      const thread = (worker ??= start());
      return new Promise((resolve, reject) => {
        asked = { resolve, reject };
        // Whoever waits for the answer may be all that is left to do: the process must not end before.
        thread.ref();
        thread.postMessage(request);
      });
    },
    async close() {
      if (worker !== undefined) await stopWorker(worker);
    },
  };
}

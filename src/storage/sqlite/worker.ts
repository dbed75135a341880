import { type MessagePort, Worker, type ResourceLimits } from "node:worker_threads";

/** The files of the threads and where they lie from here; in the package all lie in one folder. */
const FILES = {
  "read-worker": "../../read-worker",
  "checkpoint-worker": "./checkpoint-worker",
  "wal-sync-worker": "./wal-sync-worker",
} as const;

/**
 * Starts a thread.
 *
 * @param name its file's, without its ending: `.ts` in a checkout, `.js` in the published package
 * @param transferList ports among the data
 */
export function startWorker(
  name: keyof typeof FILES,
  data: object,
  resourceLimits: ResourceLimits = {},
  transferList: MessagePort[] = [],
): Worker {
  const file = import.meta.url.endsWith(".ts") ? `${FILES[name]}.ts` : `./${name}.js`;
  return new Worker(new URL(file, import.meta.url), { workerData: data, resourceLimits, transferList });
}

/**
 * Asks a worker to close its files and waits until it has ended.
 *
 * @param ask for one that does not hear messages
 */
export async function stopWorker(worker: Worker, ask = () => worker.postMessage("close")): Promise<void> {
  // One that broke has ended already and will not say so again.
  if (worker.threadId === -1) return;
  worker.ref();
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  ask();
  await ended;
}

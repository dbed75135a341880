import { Worker } from "node:worker_threads";

/**
 * Starts one of the worker files beside this one.
 *
 * @param name file name without its ending: `.ts` in a checkout, `.js` in the published package
 */
export function startWorker(name: string, data: object): Worker {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new Worker(new URL(`./${name}.${ending}`, import.meta.url), { workerData: data });
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

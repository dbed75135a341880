/**
 * The threads of SQLite as tests start them: each bundled into one file, as they are published. A thread that has to find its
 * 400 files takes 0.35 s of processor time, one with a bundle 0.06 s, and every application starts one or two.
 */
import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import threads from "node:worker_threads";

/** Names the folder of the bundles to the workers of a run. */
export const THREADS_VARIABLE = "TESSERA_TEST_THREADS";

const root = resolve(import.meta.dirname, "../..");
const FILES = ["read-worker.ts", "storage/sqlite/checkpoint-worker.ts", "storage/sqlite/wal-sync-worker.ts"];
const SOURCES = new Set(FILES.map((file) => join(root, "src", file)));

/** Writes the bundles into a folder. */
export async function bundleThreads(folder: string): Promise<void> {
  // Only the set-up needs it.
  const { rolldown } = await import("rolldown");
  for (const input of SOURCES) {
    const made = await rolldown({ cwd: root, platform: "node", input, external: [/^node:/], logLevel: "silent" });
    await made.write({ file: bundleOf(folder, input), format: "esm", codeSplitting: false });
    await made.close();
  }
}

/** Has this process start the bundles from now on where it would start their sources; once is enough. */
export function startBundledThreads(): void {
  const folder = process.env[THREADS_VARIABLE];
  const { Worker } = threads;
  if (folder === undefined || !existsSync(folder) || Worker.name === "BundledWorker") return;
  class BundledWorker extends Worker {
    constructor(file: string | URL, options?: threads.WorkerOptions) {
      const source = file instanceof URL && file.protocol === "file:" ? fileURLToPath(file) : "";
      super(SOURCES.has(source) ? bundleOf(folder ?? "", source) : file, options);
    }
  }
  threads.Worker = BundledWorker;
  syncBuiltinESMExports();
}

function bundleOf(folder: string, source: string): string {
  return join(folder, `${basename(source, ".ts")}.mjs`);
}

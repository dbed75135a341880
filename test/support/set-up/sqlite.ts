/** Made before tests of an application: a directory of the run, the file that SQLite databases begin as, its threads, the API document. */
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOCUMENT_VARIABLE } from "../answers/install.ts";
import { DIRECTORY_VARIABLE } from "../directory.ts";
import { removeTemporaryDirectories } from "../engines.ts";
import { openShell } from "../shell.ts";
import { makeTemplate, TEMPLATE_VARIABLE } from "../template.ts";
import { bundleThreads, THREADS_VARIABLE } from "../threads.ts";
import { keptFolder } from "./kept.ts";

const ROOM_BYTES = 4 * 1024 ** 3;

/** Once a run, whichever project comes first. */
export async function setup(): Promise<() => void> {
  if (process.env[DIRECTORY_VARIABLE] !== undefined) return () => undefined;
  const directory = mkdtempSync(join(inMemory() ?? tmpdir(), "tessera-run-"));
  process.env[DIRECTORY_VARIABLE] = directory;
  const template = await keptFolder("template", (folder) => makeTemplate(join(folder, "template.db")));
  process.env[TEMPLATE_VARIABLE] = join(template, "template.db");
  process.env[THREADS_VARIABLE] = await keptFolder("threads", bundleThreads);
  const document = await keptFolder("document", async (folder) => {
    writeFileSync(join(folder, "openapi.json"), await readDocument());
  });
  process.env[DOCUMENT_VARIABLE] = join(document, "openapi.json");
  return () => {
    // A server that a test stopped a moment ago may still be writing its last words.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    delete process.env[DIRECTORY_VARIABLE];
  };
}

/** Reads the API document, which every answer is held against; see `answers/`. */
async function readDocument(): Promise<string> {
  const shell = await openShell();
  const { payload } = await shell.app.inject({ url: "/openapi.json" });
  await shell.close();
  removeTemporaryDirectories();
  return payload;
}

/** A file system in memory with room for a run: a tenth of all time went to the disk. Tests of the disk have their own. */
function inMemory(): string | undefined {
  const place = "/dev/shm";
  const space = existsSync(place) ? statfsSync(place) : undefined;
  return space !== undefined && space.bavail * space.bsize > ROOM_BYTES ? place : undefined;
}

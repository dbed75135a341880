/** Runs once for a whole test run: makes what the tests share, and removes it afterwards. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideDocument } from "./answers/install.ts";
import { DIRECTORY_VARIABLE } from "./directory.ts";
import type { PostgresVersion } from "./postgres-native.ts";
import { removeTemporaryDirectories } from "./engines.ts";
import { startPostgres } from "./postgres.ts";
import { withClient } from "./postgres-schema.ts";
import { bundleProgram } from "./program.ts";
import { openShell } from "./shell.ts";
import { makeTemplate } from "./template.ts";

const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Starts the PostgreSQL server that the tests share and puts its URL into TESSERA_TEST_POSTGRES, which the workers
 * inherit; one that is already set is used as it is. TESSERA_TEST_POSTGRES_VERSION asks for another version than the newest;
 * see `npm run test:postgres`. Makes the file that SQLite databases are copied from, and the program that tests start.
 */
export async function setup(): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(inMemory() ?? tmpdir(), "tessera-run-"));
  process.env[DIRECTORY_VARIABLE] = directory;
  makeTemplate(directory);
  await bundleProgram(directory);
  const [stopPostgres, document] = await Promise.all([providePostgres(), readDocument()]);
  provideDocument(directory, document);
  return async () => {
    await stopPostgres();
    // What a test stopped a moment ago may still be writing its last words.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}

/** What the program says of its own answers, which are held against it; see `answers/`. */
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

async function providePostgres(): Promise<() => Promise<void>> {
  if (process.env["TESSERA_TEST_POSTGRES"]) return () => Promise.resolve();
  const version = Number(process.env["TESSERA_TEST_POSTGRES_VERSION"] ?? 18) as PostgresVersion;
  const server = await startPostgres({ version });
  await withClient(server.url, async (client) => {
    await client.query("create extension if not exists pg_trgm");
  });
  process.env["TESSERA_TEST_POSTGRES"] = server.url;
  return async () => {
    delete process.env["TESSERA_TEST_POSTGRES"];
    await server.stop("immediate");
  };
}

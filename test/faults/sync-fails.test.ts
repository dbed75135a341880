import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { readSqlite } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad } from "./tag-load.ts";

test("incident 31: a failed sync of the log: who waits gets 503, nothing is called done, and the server stops with a failure", async () => {
  const dataDir = temporaryDirectory();
  const sign = join(temporaryDirectory(), "sign");
  const module = pathToFileURL(join(import.meta.dirname, "failing-wal-sync.ts")).href;
  const env = { NODE_OPTIONS: `--import=${module}`, LOG_SYNC_FAILS_WHEN: sign };
  const server = await startServer({ dataDir, env });
  const { url, token } = server;
  const workspace = await makeOrganization(url, token, "failing");
  const load = startTagLoad({ url, token, organization: "failing", workspace, clients: 8 });
  while (load.done() < 50) await new Promise((resolve) => setTimeout(resolve, 1));
  writeFileSync(sign, "");
  expect(await server.exited).toBeGreaterThan(0);
  await load.stop();
  const after = load.attempts.filter((attempt) => attempt.status >= 300);
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((attempt) => attempt.status !== 503)).toEqual([]);
  // Writes that were answered with success are there; no other write is there in part.
  const stored = await readSqlite(join(dataDir, "tessera.db"));
  expect(stored.faults).toEqual([]);
  expect(findContradictions(load.attempts, stored.tags)).toEqual([]);
  // The next start, on a disk that works, finds everything in order.
  const next = await startServer({ dataDir });
  expect(await next.stop()).toBe(0);
});

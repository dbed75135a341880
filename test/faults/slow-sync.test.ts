import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { readSqlite } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad } from "./tag-load.ts";

/** Syncs that were delayed when the test ends. */
const DELAYED = 10;

test("a disk that takes 300 ms for some syncs holds up the answers that depend on them, and never the event loop", async () => {
  const dataDir = temporaryDirectory();
  const notes = join(temporaryDirectory(), "notes");
  writeFileSync(notes, "");
  const noted = (what: string) =>
    readFileSync(notes, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(what));
  const module = pathToFileURL(join(import.meta.dirname, "slow-wal-sync.ts")).href;
  const server = await startServer({ dataDir, env: { NODE_OPTIONS: `--import=${module}`, LOG_SYNC_NOTES: notes } });
  const { url, token } = server;
  // A lone caller first: the main thread could be tempted to sync for it.
  const workspace = await makeOrganization(url, token, "slow");
  const began = [noted("main fdatasync").length, noted("main fsync").length, noted("main wait").length];
  const [lone, many] = [1, 8].map((clients) => ({ clients, until: clients === 1 ? DELAYED / 2 : DELAYED }));
  let done = 0;
  for (const { clients, until } of [lone, many].flatMap((each) => each ?? [])) {
    const prefix = `p${clients}`;
    const load = startTagLoad({ url, token, organization: "slow", workspace, clients, prefix });
    while (noted("delayed").length < until) {
      // Depends on no commit: answered while a sync is under way.
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    }
    await load.stop();
    expect(load.attempts.filter(({ status }) => status >= 500)).toEqual([]);
    const stored = await readSqlite(join(dataDir, "tessera.db"));
    expect([...stored.faults, ...findContradictions(load.attempts, stored.tags)]).toEqual([]);
    expect(load.done()).toBeGreaterThan(0);
    done += load.done();
  }
  expect(done).toBeGreaterThan(DELAYED);
  expect([noted("main fdatasync").length, noted("main fsync").length, noted("main wait").length]).toEqual(began);
  expect(await server.stop()).toBe(0);
});

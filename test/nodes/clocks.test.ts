/** Servers whose clocks are far apart agree on what has expired: they go by the database's. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask } from "../support/two-nodes.ts";

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => server.kill()));
});

async function start(database: string, dataDir: string, aheadMs: number): Promise<RunningServer> {
  // Date is what a program sees of the system's clock; timers and the monotonic clock stay as they are.
  const source = `const real = Date.now; Date.now = () => real() + (${aheadMs});
    globalThis.Date = class extends Date { constructor(...a) { a.length ? super(...a) : super(Date.now()); } };`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
  const server = await startServer({ database, env, dataDir });
  running.push(server);
  return server;
}

it("a token lives as long as it was made for on servers whose clocks are an hour apart", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  const [late, right, early] = [
    await start(database, dataDir, -3_600_000),
    await start(database, dataDir, 0),
    await start(database, dataDir, 3_600_000),
  ];
  const root = right.token;
  for (const server of [late, right, early]) {
    const before = Date.now();
    const made = await ask(server, root, "PUT", "/acl/token", {
      Policies: [{ Name: "global-management" }],
      ExpirationTTL: "61s",
    });
    expect(made.status, made.text).toBe(200);
    const begins = Date.parse(String(made.body["ExpirationTime"])) - 61_000;
    expect(begins).toBeGreaterThan(before - 1000);
    expect(begins).toBeLessThan(Date.now() + 1000);
    for (const other of [late, right, early]) {
      expect((await ask(other, String(made.body["SecretID"]), "GET", "/acl/token/self")).status).toBe(200);
    }
  }
  // Nobody's background work takes them for expired either.
  await sleep(3000);
  const { text } = await ask(early, root, "GET", "/acl/tokens");
  expect(text.match(/"ExpirationTTL":|"ExpirationTime":/g)).toHaveLength(3);
  expect(late.stdout + early.stdout).toMatch(
    /the clock of the database differs by -?3[56]\d\d s from the clock of this server/,
  );
});

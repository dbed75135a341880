/**
 * Tests the use ledger of real servers: a server that is killed loses at most five seconds of use and invents none, and a
 * server without a ledger records nothing.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { openForTest } from "../support/storage.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 20);
/** Most that a kill loses. */
const LOST_MS = 5000;
const NAMES = Array.from({ length: 40 }, (_, index) => ({ Resource: "key", Access: "read", Segment: `name-${index}` }));

async function call<T>(server: RunningServer, method: string, path: string, body: unknown, token: string): Promise<T> {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { "x-service-token": token, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text) as T;
}

/** Makes a token that may read all keys. @returns its secret */
async function makeAsker(server: RunningServer): Promise<string> {
  const rules = { Name: `keys-${random()}`.replace(".", ""), Rules: 'key_prefix "" { policy = "read" }' };
  const { ID } = await call<{ ID: string }>(server, "PUT", "/acl/policy", rules, server.token);
  const { SecretID } = await call<{ SecretID: string }>(
    server,
    "PUT",
    "/acl/token",
    { Policies: [{ ID }] },
    server.token,
  );
  return SecretID;
}

async function totalOf(database: string, dataDir: string): Promise<number> {
  const db = await openForTest(database, { dataDir });
  const rows = await db.sql.selectFrom("use_rows").select("total").where("resource", "=", "key").execute();
  await db.close();
  return rows.reduce((sum, { total }) => sum + total, 0);
}

/** Uses that were sent, and the times at which answers about them came. */
interface Asked {
  sent: number;
  acknowledged: number[];
}

/** Asks until the server is gone. */
async function askOn(server: RunningServer, secret: string, asked: Asked): Promise<void> {
  for (;;) {
    asked.sent += NAMES.length;
    try {
      await call(server, "POST", "/internal/acl/authorize", NAMES, secret);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    asked.acknowledged.push(performance.now());
    await sleep(20);
  }
}

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 between and during flushes loses at most five seconds of use, and invents none (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    let secret = "";
    let before = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer({ database, dataDir });
      if (secret === "") secret = await makeAsker(server);
      const asked: Asked = { sent: 0, acknowledged: [] };
      const clients = [askOn(server, secret, asked), askOn(server, secret, asked)];
      // A busy machine may take seconds for the first answer: a kill needs answers that are older than what it may lose.
      await expect.poll(() => asked.acknowledged.length).toBeGreaterThan(0);
      // Flushes are three seconds apart: in one round it is killed shortly after one began, in the next at any time.
      await sleep(round % 2 === 0 ? 6000 + random() * 150 : 6000 + random() * 3000);
      const killed = performance.now();
      await server.kill({ keepData: true });
      await Promise.all(clients);
      const total = await totalOf(database, dataDir);
      const certain = asked.acknowledged.filter((at) => at < killed - LOST_MS).length * NAMES.length;
      expect(certain).toBeGreaterThan(0);
      expect(total - before).toBeGreaterThanOrEqual(certain);
      expect(total - before).toBeLessThanOrEqual(asked.sent);
      before = total;
    }
  },
);

test("a server with --use-ledger off records nothing, and says that it does not", async () => {
  const dataDir = temporaryDirectory();
  const database = `sqlite:${join(dataDir, "tessera.db")}`;
  const server = await startServer({ database, dataDir, args: ["--use-ledger", "off"] });
  onTestFinished(async () => void (await server.stop().catch(() => undefined)));
  const secret = await makeAsker(server);
  await call(server, "POST", "/internal/acl/authorize", NAMES, secret);
  const report = await call<object>(server, "GET", "/acl/use", undefined, server.token);
  expect(report).not.toHaveProperty("Since");
  expect(await server.stop()).toBe(0);
  expect(await totalOf(database, dataDir)).toBe(0);
});

/** Refusals of a whole server: whichever thread or process refuses, they are on record, also when it stops. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../../test/support/engines.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { connectTo, connectToAll, startThreads, type ThreadConnection } from "../../test/support/threads.ts";

vi.setConfig({ testTimeout: 200_000 });
/** What comes after a pause is written when its minute is over. */
const SOON = { timeout: 90_000, interval: 500 };

let running: RunningServer | undefined;
let connections: ThreadConnection[] = [];
afterEach(async () => {
  for (const connection of connections) connection.close();
  connections = [];
  await running?.kill();
  running = undefined;
});

interface Shown {
  Kind: string;
  Action: string;
  Actor: { AccessorID: string };
  Detail: { count: number; requestIds: string[] };
}

/** Records of what this actor was refused. */
async function refusalsOf({ url, token }: RunningServer, accessor: string): Promise<Shown[]> {
  const path = `${url}/v1/audit?ns=*&outcome=refused&actor=${accessor}`;
  const answer = await fetch(path, { headers: { "x-service-token": token } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Shown[];
}

async function countOf(server: RunningServer, accessor: string): Promise<number> {
  return (await refusalsOf(server, accessor)).reduce((sum, { Detail }) => sum + Detail.count, 0);
}

async function makeRightless({ url, token }: RunningServer): Promise<{ AccessorID: string; SecretID: string }> {
  const made = await fetch(`${url}/v1/acl/token`, { method: "PUT", headers: { "x-service-token": token }, body: "{}" });
  return (await made.json()) as { AccessorID: string; SecretID: string };
}

it("what threads refuse is gathered and written by the main thread", async () => {
  running = await startThreads(3);
  connections = await connectToAll(running, 3);
  const { AccessorID, SecretID: token } = await makeRightless(running);
  // Not over the end of a minute.
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await sleep(left);
  const rounds = 20;
  const ids: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const connection of connections) {
      const { status, headers } = await connection.ask("/v1/acl/policies", { token });
      expect(status).toBe(403);
      ids.push(String(headers["x-request-id"]));
    }
  }
  const server = running;
  await expect.poll(() => countOf(server, AccessorID), SOON).toBe(3 * rounds);
  const records = await refusalsOf(server, AccessorID);
  // One, and one more where the machine was so busy that there was a pause.
  expect(records.length).toBeLessThanOrEqual(2);
  const found = records.flatMap(({ Detail }) => Detail.requestIds);
  expect(found.length).toBeGreaterThanOrEqual(50);
  expect(new Set(ids).isSupersetOf(new Set(found))).toBe(true);
  expect(records[0]).toMatchObject({ Kind: "acl", Action: "read" });
  // A refused write is forwarded, and refused by the main thread.
  for (const connection of connections) await connection.ask("/v1/acl/policy", { token, method: "PUT", body: {} });
  await expect.poll(() => countOf(server, AccessorID), SOON).toBe(3 * rounds + 3);
});

it("a server that stops writes what its threads have refused a moment ago", async () => {
  const dataDir = temporaryDirectory();
  running = await startThreads(3, { dataDir });
  connections = await connectToAll(running, 3);
  const { AccessorID, SecretID } = await makeRightless(running);
  for (const connection of connections) {
    expect((await connection.ask("/v1/acl/policies", { token: SecretID })).status).toBe(403);
  }
  const { token } = running;
  for (const connection of connections.splice(0)) connection.close();
  expect(await running.stop()).toBe(0);
  running = await startServer({ dataDir });
  expect(await countOf({ ...running, token }, AccessorID)).toBe(3);
});

it("each of several processes writes what it has refused", async () => {
  running = await startServer({ database: await makeDatabaseUrl("postgres"), args: ["--processes", "2"] });
  const { AccessorID, SecretID: token } = await makeRightless(running);
  connections = [1, 2, 3, 4].map(() => connectTo(running as RunningServer));
  for (const connection of connections) {
    expect((await connection.ask("/v1/acl/policies", { token })).status).toBe(403);
  }
  const server = running;
  await expect.poll(() => countOf(server, AccessorID), SOON).toBe(4);
});

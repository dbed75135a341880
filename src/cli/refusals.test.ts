/** Refusals of a whole server: whichever process refuses, they are on record, also when it stops. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { tessera } from "../../test/backup/command.ts";
import { makeDatabaseUrl, temporaryDirectory } from "../../test/support/engines.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { connectTo, type Connection } from "../../test/support/connections.ts";

vi.setConfig({ testTimeout: 200_000 });

let running: RunningServer | undefined;
let connections: Connection[] = [];
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

/** Stops the server, and reads what was refused to this actor from the next one on the same data. */
async function recordsAfterStop(dataDir: string, accessor: string, database?: string): Promise<Shown[]> {
  const server = running;
  if (server === undefined) throw new Error("no server runs");
  for (const connection of connections.splice(0)) connection.close();
  expect(await server.stop()).toBe(0);
  running = await startServer({ dataDir, ...(database !== undefined && { database }) });
  return refusalsOf({ ...running, token: server.token }, accessor);
}

it("what was refused by a server whose database has moved is on record at the target, when the server is started on that", async () => {
  const dataDir = temporaryDirectory();
  running = await startServer({ dataDir });
  const { AccessorID, SecretID } = await makeRightless(running);
  const ask = async () => {
    const answer = await fetch(`${running?.url}/v1/acl/policies`, { headers: { "x-service-token": SecretID } });
    return answer.status;
  };
  expect(await ask()).toBe(403);
  const target = `sqlite:${join(dataDir, "moved.db")}`;
  const from = `sqlite:${join(dataDir, "tessera.db")}`;
  const moved = await tessera("move", "--from", from, "--to", target, "--data-dir", dataDir, "--cutover");
  expect(moved, moved.stderr).toMatchObject({ status: 0 });
  const { token, exited } = running;
  // It sees that its database has moved, or is told to end.
  await Promise.race([exited, running.stop()]);
  running = await startServer({ dataDir, database: target });
  const server = { ...running, token };
  await expect.poll(() => countOf(server, AccessorID), { timeout: 20_000, interval: 100 }).toBe(1);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("refused-"))).toEqual([]);
});

it("each of several processes writes what it has refused", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  running = await startServer({ database, dataDir, args: ["--processes", "2"] });
  const { AccessorID, SecretID: token } = await makeRightless(running);
  connections = [1, 2, 3, 4].map(() => connectTo(running as RunningServer));
  for (const connection of connections) {
    expect((await connection.ask("/v1/acl/policies", { token })).status).toBe(403);
  }
  const records = await recordsAfterStop(dataDir, AccessorID, database);
  expect(records.reduce((sum, { Detail }) => sum + Detail.count, 0)).toBe(4);
});

/** Reads that may be stale come from a real streaming replica; what they say of their age is true. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { startReplica, type ReplicaServer } from "../support/replica.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { untilWaiting } from "../support/two-nodes.ts";

let primary: PostgresServer;
let replica: ReplicaServer;
let server: RunningServer;

beforeAll(async () => {
  primary = await startPostgres({ durable: "kills" });
  replica = await startReplica(primary, { max_standby_streaming_delay: "0" });
  server = await startServer({ database: primary.url, args: ["--replica", replica.url] });
});
afterAll(async () => {
  await server.stop();
  await replica.stop();
  await primary.stop();
});

async function read(query: string, name = "policies") {
  const answer = await fetch(`${server.url}/v1/acl/${name}${query}`, { headers: { "x-consul-token": server.token } });
  const { headers } = answer;
  return {
    status: answer.status,
    text: await answer.text(),
    index: Number(headers.get("x-consul-index")),
    lastContact: Number(headers.get("x-service-lastcontact")),
    knownLeader: headers.get("x-consul-knownleader"),
    spellings: [headers.get("x-consul-lastcontact"), headers.get("x-service-knownleader")],
  };
}

async function write(name: string): Promise<void> {
  const { status } = await fetch(`${server.url}/v1/acl/policy`, {
    method: "PUT",
    headers: { "x-consul-token": server.token },
    body: JSON.stringify({ Name: name }),
  });
  expect(status).toBe(200);
}

/** Until the replica is used: its age is known after some polls. */
async function untilReplicaAnswers(): Promise<void> {
  await expect.poll(async () => (await read("?stale")).lastContact, { timeout: 60_000 }).toBeGreaterThan(0);
}

it("only stale reads show what the replica has, and how old that may be", async () => {
  await untilReplicaAnswers();
  await write("before");
  await expect.poll(async () => (await read("?stale")).text).toContain('"before"');
  await replica.pause();
  const paused = performance.now();
  await write("behind");
  try {
    for (const query of ["", "?consistent", "?leader"]) {
      const answer = await read(query);
      expect(answer).toMatchObject({ status: 200, lastContact: 0, knownLeader: "true" });
      expect(answer.text).toContain('"behind"');
    }
    const stale = await read("?stale");
    expect(stale.text).not.toContain('"behind"');
    expect(stale.index).toBeLessThan((await read("")).index);
    expect(stale.spellings).toEqual([String(stale.lastContact), "true"]);
    await sleep(1500);
    const asked = performance.now();
    const later = await read("?stale");
    // It says so itself: whatever was written since the pause may be missing.
    expect(later.lastContact).toBeGreaterThanOrEqual(asked - paused - 600);

    for (const query of ["?max_stale=1s", "?stale&max_stale=1s"]) {
      const limited = await read(query);
      expect(limited).toMatchObject({ lastContact: 0 });
      expect(limited.text).toContain('"behind"');
    }
    expect((await read("?max_stale=1h")).text).not.toContain('"behind"');
    expect((await read("/name/behind?stale", "policy")).status).toBe(404);
    // A blocking read always shows the newest.
    const waiting = read(`?stale&wait=10m&index=${(await read("")).index}`);
    await untilWaiting(server, server.token, 1);
    await write("woken");
    expect((await waiting).text).toContain('"woken"');
  } finally {
    await replica.resume();
  }
  await expect.poll(async () => (await read("?stale")).text).toContain('"woken"');
});

it("who may see what is decided by the primary in every mode", async () => {
  await untilReplicaAnswers();
  await replica.pause();
  try {
    const made = await fetch(`${server.url}/v1/acl/token`, {
      method: "PUT",
      headers: { "x-consul-token": server.token },
      body: JSON.stringify({ Policies: [{ Name: "global-management" }] }),
    });
    const { SecretID, AccessorID } = (await made.json()) as { SecretID: string; AccessorID: string };
    const ask = async () =>
      (await fetch(`${server.url}/v1/acl/policies?stale`, { headers: { "x-consul-token": SecretID } })).status;
    expect(await ask()).toBe(200);
    await fetch(`${server.url}/v1/acl/token/${AccessorID}`, {
      method: "DELETE",
      headers: { "x-consul-token": server.token },
    });
    expect(await ask()).toBe(403);
  } finally {
    await replica.resume();
  }
});

it("a replica that ends statements to catch up is not asked on: the primary answers", async () => {
  await untilReplicaAnswers();
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  let isOver = false;
  const locks = (async () => {
    while (!isOver) await client.query("begin; lock table policies in access exclusive mode; commit");
  })();
  const seen = new Set<number>();
  const until = performance.now() + 2000;
  while (performance.now() < until) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => read("/name/global-management?stale", "policy")));
    for (const { status } of answers) seen.add(status);
  }
  isOver = true;
  await locks;
  await client.end();
  expect([...seen]).toEqual([200]);
});

it("without the replica stale reads come from the primary, and from the replica again when it is back", async () => {
  await untilReplicaAnswers();
  await replica.kill();
  for (let times = 0; times < 20; times++) {
    expect((await read("?stale")).status).toBe(200);
    await sleep(50);
  }
  await expect.poll(async () => (await read("?stale")).lastContact, { timeout: 60_000 }).toBe(0);
  await write("alone");
  expect((await read("?stale")).text).toContain('"alone"');
  await replica.restart();
  await untilReplicaAnswers();
});

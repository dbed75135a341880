/** Work that one server does alone goes on when that server dies, sleeps or is cut off, and it does no harm afterwards. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "../faults/tcp-proxy.ts";
import { readStored } from "../faults/stored-state.ts";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask } from "../support/two-nodes.ts";

let url: string;
let proxy: TcpProxy;
/** Holds a lock in the way of the work, so that a test can do something in the middle of it. */
let blocker: pg.Client;
let holder: RunningServer;
let other: RunningServer;

beforeEach(async () => {
  url = await makeDatabaseUrl("postgres");
  proxy = await startTcpProxy(url);
  const dataDir = temporaryDirectory();
  holder = await startServer({ database: proxy.url, dataDir });
  blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await leaveWork();
  other = await startServer({ database: url, args: ["--key-file", join(dataDir, "master-key")] });
});
afterEach(async () => {
  await blocker.end();
  await Promise.all([holder.kill(), other.kill()]);
  await proxy.close();
});

/** Deletes an organization with many tags on the first server, which begins to remove them and gets no further. */
async function leaveWork(): Promise<void> {
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const answer = await fetch(`${holder.url}/api/v2/organizations${path}`, {
      method,
      headers: { authorization: `Bearer ${holder.token}`, "content-type": "application/vnd.api+json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  };
  const attributes = { name: "left", email: "owner@example.com" };
  await send("POST", "", { data: { type: "organizations", attributes } });
  for (let part = 0; part < 3; part++) {
    const data = Array.from({ length: 1000 }, () => ({ type: "tags", attributes: { name: randomUUID() } }));
    await send("POST", "/left/tags", { data });
  }
  await blocker.query("begin; select 1 from tags for share");
  await send("DELETE", "/left");
  const held = async () => (await rows("select fence from leases where name = 'purge'")).length;
  await expect.poll(held, { timeout: 60_000 }).toBe(1);
}

async function rows(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const answer = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return answer.rows;
}

const left = async () => Number((await rows("select count(*) as left from tags"))[0]?.["left"]);
const fence = async () => Number((await rows("select fence from leases where name = 'purge'"))[0]?.["fence"]);

it("the lease moves when its holder has died", async () => {
  expect(await fence()).toBe(1);
  await holder.kill({ keepData: true });
  await blocker.query("rollback");
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
  expect(await fence()).toBe(2);
});

it("a holder that was paused has its work refused when it wakes up", async () => {
  process.kill(holder.pid, "SIGSTOP");
  await expect.poll(fence, { timeout: 60_000 }).toBe(2);
  process.kill(holder.pid, "SIGCONT");
  // The work that it sent is refused, and it keeps asking: the lease stays where it is.
  await expect.poll(() => holder.stdout, { timeout: 60_000 }).toMatch(/background deletion: /);
  await sleep(2000);
  expect(await fence()).toBe(2);
  expect(await left()).toBe(3000);
  await blocker.query("rollback");
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
  expect((await readStored(rows)).faults).toEqual([]);
  expect((await ask(holder, holder.token, "GET", "/acl/token/self")).status).toBe(200);
});

it("cut off with the lease and 1,000 waiters: others do the work, and each waiter is told to go to them", async () => {
  const { token } = holder;
  const { index } = await ask(holder, token, "GET", "/acl/policies");
  const waiting = Array.from({ length: 1000 }, () =>
    ask(holder, token, "GET", `/acl/policies?wait=10m&index=${index}`),
  );
  const metrics = async () => (await fetch(`${holder.url}/metrics`, { headers: { "x-consul-token": token } })).text();
  await expect.poll(metrics, { timeout: 60_000 }).toContain("\ntessera_waiting_requests 1000\n");
  proxy.judge = () => "lose";
  await blocker.query("rollback");
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
  expect((await ask(other, token, "PUT", "/acl/policy", { Name: "missed" })).status).toBe(200);
  // It cannot know whether there is news, nor whether they may have it: so it says, and does not keep them.
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  const elsewhere = await ask(other, token, "GET", `/acl/policies?wait=10m&index=${index}`);
  expect(elsewhere.text).toContain('"missed"');
  proxy.judge = () => "pass";
  await expect
    .poll(async () => (await ask(holder, token, "GET", "/acl/policies")).text, { timeout: 60_000 })
    .toContain('"missed"');
});

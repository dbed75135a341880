/** Two PostgreSQL servers, the second a synchronous standby of the first, and a server that has both in its URL. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { withClient } from "../support/postgres-schema.ts";
import { startReplica, type ReplicaServer } from "../support/replica.ts";
import { startServer, type RunningServer } from "../support/server.ts";

let primary: PostgresServer;
let standby: ReplicaServer;
let server: RunningServer;

beforeEach(async () => {
  primary = await startPostgres({ durable: "kills" });
  standby = await startReplica(primary);
  // The standby first: the primary is to be found wherever it is named.
  const { username, password, pathname } = new URL(primary.url);
  const hosts = [standby, primary].map(({ url }) => new URL(url).host).join(",");
  server = await startServer({
    database: `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
  });
});
afterEach(async () => {
  await server.kill();
  await standby.stop();
  await primary.stop("immediate");
});

async function admin<T>(url: string, statement: string): Promise<T[]> {
  return withClient(url, async (client) => (await client.query(statement)).rows as T[]);
}

/** From now on a commit waits for the standby. */
async function waitForStandby(): Promise<void> {
  await admin(primary.url, "alter system set synchronous_standby_names = '*'");
  await admin(primary.url, "select pg_reload_conf()");
  const state = async () =>
    (await admin<{ sync_state: string }>(primary.url, "select sync_state from pg_stat_replication"))[0]?.sync_state;
  await expect.poll(state, { timeout: 60_000 }).toBe("sync");
}

async function write(name: string): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const answer = await fetch(`${server.url}/v1/acl/policy`, {
    method: "PUT",
    headers: { "x-consul-token": server.token },
    body: JSON.stringify({ Name: name }),
  });
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get("retry-after") };
}

async function names(): Promise<string[]> {
  const answer = await fetch(`${server.url}/v1/acl/policies`, { headers: { "x-consul-token": server.token } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { Name: string }[]).map(({ Name }) => Name);
}

it("a promoted standby is found: 503 while there is no primary, then on, and nothing answered is lost", async () => {
  await waitForStandby();
  const done: string[] = [];
  const others: Awaited<ReturnType<typeof write>>[] = [];
  let isOver = false;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let number = 0; !isOver; number++) {
      const name = `p${client}-${number}`;
      const answer = await write(name);
      if (answer.status === 200) done.push(name);
      else others.push(answer);
      if (answer.status !== 200) await sleep(20);
    }
  });
  while (done.length < 50) await sleep(10);
  await primary.kill();
  await expect.poll(() => others.length).toBeGreaterThan(20);
  const before = done.length;
  await admin(standby.url, "select pg_promote()");
  await expect.poll(() => done.length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
  isOver = true;
  await Promise.all(clients);
  expect([...new Set(others.map(({ status }) => status))]).toEqual([503]);
  expect(others.filter(({ text, retryAfter }) => retryAfter === null && !text.includes("unknown"))).toEqual([]);
  const there = new Set(await names());
  expect(done.filter((name) => !there.has(name))).toEqual([]);
});

it("a primary that was given up and comes back is neither read nor written", async () => {
  await write("before");
  // Cut off: it believes to be the primary for as long as it is there, and nobody hears of it.
  await primary.kill();
  await admin(standby.url, "select pg_promote()");
  await expect.poll(async () => (await write("after")).status, { timeout: 60_000 }).not.toBe(503);
  await primary.restart();
  await admin(
    standby.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tessera%'",
  );
  for (let times = 0; times < 40; times++) {
    const { status } = await write(`later-${times}`);
    expect([200, 503]).toContain(status);
    await sleep(25);
  }
  await expect.poll(async () => (await write("last")).status, { timeout: 60_000 }).not.toBe(503);
  expect(await names()).toContain("after");
  const old = await admin<{ name: string }>(
    primary.url,
    "select name from policies where name like 'later%' or name = 'after'",
  );
  expect(old).toEqual([]);
  // With nothing but the old one there, it is better to say so than to show what it has.
  await standby.shutDown("immediate");
  for (let times = 0; times < 20; times++) {
    const answer = await fetch(`${server.url}/v1/acl/policies`, { headers: { "x-consul-token": server.token } });
    expect(answer.status).toBe(503);
    await sleep(50);
  }
});

it("a primary that lives on while another was promoted is left within seconds", async () => {
  await waitForStandby();
  expect((await write("before")).status).toBe(200);
  await admin(standby.url, "select pg_promote()");
  await expect.poll(async () => (await write("moved")).status, { timeout: 60_000 }).not.toBe(503);
  await expect.poll(async () => (await names()).includes("moved"), { timeout: 60_000 }).toBe(true);
  const there = await admin<{ name: string }>(standby.url, "select name from policies where name = 'moved'");
  expect(there).toHaveLength(1);
});

it.each([["as it is"], ["with warnings hidden"]])(
  "a commit that the standby has not confirmed is not told as done, and nobody sees it before (%s)",
  async (how) => {
    await waitForStandby();
    if (how === "with warnings hidden") {
      await admin(primary.url, "alter role postgres set client_min_messages = error");
      await server.kill({ keepData: true });
      server = await startServer({ database: primary.url, dataDir: server.dataDir });
    }
    // Nothing is received any more, so no commit is confirmed.
    const [{ pid } = { pid: 0 }] = await admin<{ pid: number }>(standby.url, "select pid from pg_stat_wal_receiver");
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, "SIGSTOP");
    try {
      const waiting = write("cancelled");
      const commits = async () =>
        (
          await admin<{ pid: number }>(
            primary.url,
            "select pid from pg_stat_activity where wait_event = 'SyncRep' and application_name like 'tessera%'",
          )
        ).map((row) => row.pid);
      await expect.poll(async () => (await commits()).length).toBeGreaterThan(0);
      expect(await names()).not.toContain("cancelled");
      // The server's own writes wait too, and may have come first.
      const cancel = async () => {
        for (const stuck of await commits()) await admin(primary.url, `select pg_cancel_backend(${stuck})`);
      };
      while ((await Promise.race([waiting, sleep(100)])) === undefined) await cancel();
      expect(await waiting).toMatchObject({ status: 503, text: expect.stringContaining("unknown") as string });
      // Our own patience ends in the same way, and cancels nothing. A write of the server's own that came first is
      // stuck as well: what waits behind it has not begun, is told so, and comes again once that one is cancelled.
      let given = await write("given-up");
      while (given.text.includes("Another write takes too long")) {
        await cancel();
        given = await write("given-up");
      }
      expect(given).toMatchObject({ status: 503, text: expect.stringContaining("unknown") as string });
      expect(await names()).not.toContain("given-up");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await expect.poll(names, { timeout: 60_000 }).toEqual(expect.arrayContaining(["cancelled", "given-up"]));
  },
  180_000,
);

import { describe, expect, onTestFinished, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { freshDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { ensurePartition, openForTest } from "../../../test/support/storage.ts";
import type { Counter } from "../writes/counters.ts";
import type { Database } from "../database.ts";
import type { TouchedObject, FeedEvent } from "../feed/feed.ts";
import type { OpenOptions } from "../open.ts";
import { feedChannel } from "./feed.ts";

const partition: Counter = { kind: "partition", name: "default" };
const token = (key: string): TouchedObject => ({ table: "tokens", namespace: "default", partition: "default", key });
const everything: FeedEvent = { partition: "default", all: true };

interface Node {
  db: Database;
  /** Events that the node has received since the last look. */
  events: FeedEvent[];
}

/** Two nodes of one database; the first behind a proxy. What they were told of the partition's making is over. */
async function openTwo(
  options: Partial<OpenOptions> = {},
): Promise<{ one: Node; two: Node; proxy: TcpProxy; url: string }> {
  const url = await freshDatabaseUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const dataDir = temporaryDirectory();
  const one = listenTo(await openForTest(proxy.url, { ...options, dataDir }));
  const two = listenTo(await openForTest(url, { ...options, dataDir }));
  await ensurePartition(two.db, "default");
  await pollsLater(one, two);
  for (const node of [one, two]) node.events.length = 0;
  return { one, two, proxy, url };
}

function listenTo(db: Database): Node {
  const node: Node = { db, events: [] };
  onTestFinished(db.feed.subscribe({ onCommitted: (event) => node.events.push(event) }));
  return node;
}

const pollAge = ({ db }: Node) => db.stats().feed.pollAgeSeconds ?? NaN;

/** Waits until polls that began after now have told all that they found. */
async function pollsLater(...nodes: Node[]): Promise<void> {
  const began = performance.now();
  const isLater = (node: Node): boolean => pollAge(node) * 1000 < performance.now() - began;
  await expect.poll(() => nodes.every(isLater), { interval: 10 }).toBe(true);
}

const touch = ({ db }: Node, ...keys: string[]) =>
  db.inTransaction(partition, (tx) => {
    for (const key of keys) tx.touch(token(key));
    return tx.index();
  });

/** Whether a node sends a message, be it for the first time on its connection or later. */
const isMessage = (data: Buffer) => data.includes("tessera_feed_") && !data.includes("listen ");

describe("with notifications", () => {
  test("a change on one node is told on the other, by name, and there is nothing left for a poll to find", async () => {
    const { one, two } = await openTwo();
    const indexes = [await touch(one, "a"), await touch(two, "b"), await touch(one), await touch(one, "c", "d")];
    const expected = [
      { ...token("a"), index: indexes[0] },
      { ...token("b"), index: indexes[1] },
      { ...token("c"), index: indexes[3] },
      { ...token("d"), index: indexes[3] },
    ];
    await pollsLater(one, two);
    for (const { events } of [one, two]) {
      expect(events.toSorted((a, b) => String(Object.values(a)).localeCompare(String(Object.values(b))))).toEqual(
        expected,
      );
    }
  });

  test("writes of many clients on both nodes are each told once on both", async () => {
    const { one, two } = await openTwo();
    const keys = Array.from({ length: 200 }, (_, i) => `t${i}`);
    await Promise.all(keys.map((key, i) => touch(i % 2 === 0 ? one : two, key)));
    await pollsLater(one, two);
    for (const { events } of [one, two]) {
      // On a machine that is too busy to deliver in time a poll may be faster; then it says that anything may have changed.
      if (events.some((event) => "all" in event)) continue;
      expect(events.map((event) => ("key" in event ? event.key : "")).sort()).toEqual([...keys].sort());
    }
  });

  test("a bulk too large for a message tells the other node that anything may have changed", async () => {
    const { one, two } = await openTwo();
    await touch(one, ...Array.from({ length: 1000 }, (_, i) => `t${i}`));
    await expect.poll(() => two.events).toEqual([everything]);
    expect(one.events.length).toBe(1000);
  });

  test("a change whose message is lost is found by the next poll", async () => {
    const { one, two, proxy } = await openTwo();
    proxy.judge = (direction, data) => (direction === "up" && isMessage(data) ? "cut" : "pass");
    await touch(one, "a");
    await expect.poll(() => two.events).toEqual([everything]);
    expect(one.events).toMatchObject([token("a")]);
  });

  test("a node whose listening connection is cut finds by polling what it missed, and listens again", async () => {
    const { one, two, proxy } = await openTwo();
    proxy.judge = (direction, data) => {
      if (direction !== "up" || !data.includes("poll_counters")) return "pass";
      proxy.refuse = true;
      return "cut";
    };
    await expect.poll(() => proxy.refuse, { interval: 1 }).toBe(true);
    await touch(two, "a");
    proxy.judge = () => "pass";
    proxy.refuse = false;
    await expect.poll(() => one.events).toEqual([everything]);
    await pollsLater(one, two);
    one.events.length = 0;
    const index = await touch(two, "b");
    await expect.poll(() => one.events).toEqual([{ ...token("b"), index }]);
  });

  test("messages of strangers change nothing", async () => {
    const { one, two, url } = await openTwo();
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string }>("select current_schema() as name");
      const channel = feedChannel(rows[0]?.name ?? "");
      for (const payload of ["", "{}", `{"node":"x","commits":[{"partition":"__proto__","index":-1}]}`]) {
        await client.query("select pg_notify($1, $2)", [channel, payload]);
      }
    });
    const index = await touch(one, "a");
    await pollsLater(one, two);
    expect(two.events.filter((event) => event.partition === "default")).toEqual([{ ...token("a"), index }]);
  });

  test("a flood of messages of strangers makes a node hear nothing for a while, and miss nothing", async () => {
    const { one, two, url } = await openTwo();
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string }>("select current_schema() as name");
      const flood = "select pg_notify($1, i || repeat('x', 7000)) from generate_series(1, 2000) as i";
      await client.query(flood, [feedChannel(rows[0]?.name ?? "")]);
    });
    await touch(one, "a");
    await expect.poll(() => two.events).toEqual([everything]);
    // It hears again: what is touched is told by its name, not by a poll.
    const hears = async () => {
      two.events.length = 0;
      const index = await touch(one, "b");
      await expect.poll(() => two.events.length).toBeGreaterThan(0);
      return two.events.some((event) => "key" in event && event.key === "b" && event.index === index);
    };
    await expect.poll(hears).toBe(true);
  });

  test("after counters went back, messages of before say nothing of the writes that have their numbers now", async () => {
    const { one, two, url } = await openTwo();
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string }>("select current_schema() as name");
      const channel = feedChannel(rows[0]?.name ?? "");
      const told: string[] = [];
      client.on("notification", ({ payload }) => told.push(payload ?? ""));
      await client.query(`listen ${channel}`);
      const index = await touch(one, "former");
      await expect.poll(() => told.length).toBe(1);
      await expect.poll(() => two.events).toEqual([{ ...token("former"), index }]);
      await client.query("update counters set value = $1 where name = 'partition/default'", [index - 1]);
      await expect.poll(() => two.events).toContainEqual(everything);
      await pollsLater(one, two);
      two.events.length = 0;
      await client.query("select pg_notify($1, $2)", [channel, told[0]]);
      expect(await touch(one, "revoked")).toBe(index);
      await expect.poll(() => two.events).toEqual([everything]);
    });
  });

  test("servers in two schemas of one database hear nothing of each other", async () => {
    const [{ one, two }, other] = [await openTwo(), await openTwo()];
    await touch(one, "a");
    await expect.poll(() => two.events.length).toBe(1);
    await pollsLater(other.one, other.two);
    expect([...other.one.events, ...other.two.events]).toEqual([]);
  });
});

describe("by polling alone", () => {
  test("a change on one node is told on the other as anything, and no message is sent", async () => {
    const { one, two, proxy } = await openTwo({ feed: "poll" });
    let messages = 0;
    proxy.judge = (direction, data) => {
      if (direction === "up" && isMessage(data)) messages += 1;
      return "pass";
    };
    await touch(one, "a");
    await expect.poll(() => two.events).toEqual([everything]);
    expect(one.events).toMatchObject([token("a")]);
    expect(messages).toBe(0);
  });
});

test("a partition that is made, or whose counter is gone or falls, may have changed in anything", async () => {
  const { one, two } = await openTwo();
  const made = { kind: "root" } as const;
  const set = (value: number) =>
    one.db.inTransaction(made, async (tx) => {
      tx.write(tx.sql.deleteFrom("counters").where("name", "=", "partition/p"));
      if (value >= 0)
        tx.write(tx.sql.insertInto("counters").values({ name: "partition/p", value, audit_seq: 0, audit_hash: "" }));
    });
  for (const value of [5, 3, -1, 3]) {
    await set(value);
    await expect.poll(() => two.events).toEqual([{ partition: "p", all: true }]);
    two.events.length = 0;
    await pollsLater(two);
  }
});

test("a commit of unknown outcome may have changed anything, on both nodes when it happened", async () => {
  const { one, two, proxy } = await openTwo();
  proxy.judge = (direction, data) => (direction === "down" && data.includes("COMMIT\0") ? "cut" : "pass");
  await expect(touch(one, "a")).rejects.toMatchObject({ code: "outcome_unknown" });
  expect(one.events).toEqual([everything]);
  proxy.judge = () => "pass";
  await expect.poll(() => two.events).toEqual([everything]);
});

test("a write that was run again after a failure that passes is told once", async () => {
  const { one, two, url } = await openTwo();
  await withClient(url, async (client) => {
    await client.query("create sequence failures");
    await client.query(`create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('failures') <= 2 then raise exception using errcode = '40001'; end if;
        return new;
      end $$`);
    await client.query("create trigger fail before insert on table_indexes for each row execute function fail()");
  });
  const index = await touch(one, "a");
  await pollsLater(one, two);
  for (const { events } of [one, two]) expect(events).toEqual([{ ...token("a"), index }]);
});

test("the feed is not trusted while polls get no answer, and is again when they do", async () => {
  const { one, url } = await openTwo();
  expect(one.db.feed.isTrusted()).toBe(true);
  await withClient(url, async (client) => {
    await client.query("begin");
    await client.query("lock table counters in access exclusive mode");
    await expect.poll(() => one.db.feed.isTrusted()).toBe(false);
    expect(pollAge(one)).toBeGreaterThanOrEqual(1);
    await client.query("rollback");
  });
  await expect.poll(() => one.db.feed.isTrusted()).toBe(true);
});

test("the feed is not trusted while the database is away, and what changed meanwhile is told first", async () => {
  const { one, two, proxy } = await openTwo();
  proxy.refuse = true;
  proxy.cut();
  await expect.poll(() => one.db.feed.isTrusted()).toBe(false);
  await touch(two, "a");
  const trusted: boolean[] = [];
  onTestFinished(one.db.feed.subscribe({ onCommitted: () => trusted.push(one.db.feed.isTrusted()) }));
  proxy.refuse = false;
  await expect.poll(() => one.db.feed.isTrusted()).toBe(true);
  expect(one.events).toEqual([everything]);
  expect(trusted).toEqual([false]);
});

test("a database without notifications is polled alone, and it is said once", async () => {
  const url = await freshDatabaseUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  proxy.judge = (_, data) => {
    // A server that does not know the statement calls it an error of syntax.
    const at = data.indexOf("listen tessera_feed_");
    if (at !== -1) data.write("lisTen_", at);
    return "pass";
  };
  const warnings: string[] = [];
  const dataDir = temporaryDirectory();
  const one = listenTo(await openForTest(proxy.url, { dataDir, onWarning: (message) => warnings.push(message) }));
  const two = listenTo(await openForTest(url, { dataDir }));
  await ensurePartition(two.db, "default");
  await pollsLater(one, two);
  for (const node of [one, two]) node.events.length = 0;
  await touch(two, "a");
  await expect.poll(() => one.events).toEqual([everything]);
  await touch(one, "b");
  await expect.poll(() => two.events).toContainEqual(everything);
  expect(warnings.filter((warning) => warning.includes("using polling only")).length).toBe(1);
});

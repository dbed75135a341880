import { expect, onTestFinished, test } from "vitest";
import { startTcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { freshDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { ensurePartition, openForTest } from "../../../test/support/storage.ts";
import type { FeedEvent } from "../feed/feed.ts";
import { feedChannel } from "./feed.ts";
import { encodeMessage } from "./feed-message.ts";

test("the age of what is known counts from before a poll was sent, however long its answer took", async () => {
  const url = await freshDatabaseUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const db = await openForTest(proxy.url);
  await expect.poll(() => db.feed.isTrusted()).toBe(true);
  let sent = Infinity;
  proxy.judge = (direction, data) => {
    if (direction !== "up" || !data.includes("poll_counters")) return "pass";
    // This one is answered and none after it, so that nothing is known from later on.
    if (sent !== Infinity) return "lose";
    sent = performance.now();
    // Nothing of this process goes on meanwhile: its answer is read later than this.
    while (performance.now() - sent < 50);
    return "pass";
  };
  const knownFrom = (): number => {
    const now = performance.now();
    return now - (db.stats().feed.pollAgeSeconds ?? NaN) * 1000;
  };
  const before = knownFrom();
  await expect.poll(() => knownFrom(), { interval: 5 }).toBeGreaterThan(before + 20);
  expect(knownFrom()).toBeLessThanOrEqual(sent);
});

test("a message of another node that was sent more than five seconds ago, or as long after now, tells nothing", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  await ensurePartition(db, "default");
  const told: FeedEvent[] = [];
  // A poll may say that anything has changed in a partition that it did not know.
  onTestFinished(db.feed.subscribe({ onCommitted: (event) => "key" in event && told.push(event) }));
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ schema: string; server: string }>(
      `select current_schema() as schema,
         current_database() || ' ' || extract(epoch from pg_postmaster_start_time())::text as server`,
    );
    const [{ schema, server } = { schema: "", server: "" }] = rows;
    const channel = feedChannel(schema);
    const seal = { key: db.keyring.derive("change feed"), place: `${channel} ${server}` };
    const send = async (age: number, index: number) => {
      const changes = [{ table: "tokens", namespace: "default", partition: "default", key: `sent ${age} ms ago` }];
      const message = { node: "another", sent: db.now() - age, commits: [{ partition: "default", index, changes }] };
      await client.query("select pg_notify($1, $2)", [channel, encodeMessage(message, seal)]);
    };
    for (const [at, age] of [60_000, 6_000, -6_000, 0].entries()) await send(age, at + 2);
  });
  // They come in the order in which they were sent.
  await expect.poll(() => told.at(-1)).toMatchObject({ key: "sent 0 ms ago" });
  expect(told).toHaveLength(1);
});

/** Incident 67: whether a node has been told of all that others wrote, as it can say before any of that was told. */
import { expect, onTestFinished, test } from "vitest";
import { startTcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { freshDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { ensurePartition, openForTest } from "../../../test/support/storage.ts";
import type { Counter } from "../writes/counters.ts";
import type { Database } from "../database.ts";

const partition: Counter = { kind: "partition", name: "default" };
const write = (db: Database) => db.inTransaction(partition, (tx) => tx.index());
const isPoll = (data: Buffer) => data.includes("poll_counters");

/** Two nodes of one database that find each other's writes by polls alone. Those of the first can be lost. */
async function openTwo() {
  const url = await freshDatabaseUrl();
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const dataDir = temporaryDirectory();
  const one = await openForTest(proxy.url, { feed: "poll", dataDir });
  const two = await openForTest(url, { feed: "poll", dataDir });
  await ensurePartition(two, "default");
  const isCurrent = async () => one.feed.isCurrent("default");
  await expect.poll(isCurrent).toBe(true);
  let asked = 0;
  const watch = (losesPolls: boolean) => {
    proxy.judge = (direction, data) => {
      if (direction !== "up") return "pass";
      if (isPoll(data)) return losesPolls ? "lose" : "pass";
      if (data.includes("partition/default")) asked += 1;
      return "pass";
    };
  };
  watch(false);
  return { one, two, url, isCurrent, watch, asked: () => asked };
}

test("incident 67: what another node wrote is missing from its answer on, until it has been told", async () => {
  const { one, two, isCurrent, watch } = await openTwo();
  watch(true);
  await write(two);
  expect(await isCurrent()).toBe(false);
  // Its own are told in the turn in which they are made, and do not make up for the others.
  await write(one);
  expect(await isCurrent()).toBe(false);
  expect(await one.feed.isCurrent("nowhere")).toBe(false);
  watch(false);
  await expect.poll(isCurrent).toBe(true);
  await write(one);
  expect(await isCurrent()).toBe(true);
});

test("incident 67: those who ask in one turn share a question, and nobody one that was sent before", async () => {
  const { two, isCurrent, watch, asked } = await openTwo();
  watch(true);
  expect(await Promise.all(Array.from({ length: 50 }, isCurrent))).toEqual(Array(50).fill(true));
  expect(asked()).toBe(1);
  const before = isCurrent();
  await expect.poll(asked, { interval: 1 }).toBe(2);
  await write(two);
  expect(await isCurrent()).toBe(false);
  expect(asked()).toBe(3);
  await before;
});

test("incident 67: a counter that has fallen bears nothing out", async () => {
  const { two, url, isCurrent, watch } = await openTwo();
  await write(two);
  await expect.poll(isCurrent).toBe(true);
  watch(true);
  await withClient(url, (client) =>
    client.query("update counters set value = value - 1 where name = 'partition/default'"),
  );
  expect(await isCurrent()).toBe(false);
});

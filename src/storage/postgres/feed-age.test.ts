import { expect, onTestFinished, test } from "vitest";
import { startTcpProxy } from "../../../test/faults/tcp-proxy.ts";
import { freshDatabaseUrl } from "../../../test/support/postgres-schema.ts";
import { openForTest } from "../../../test/support/storage.ts";

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

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, type TestContext } from "vitest";
import { ensurePartition, openForTest } from "../support/storage.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FeedEvent } from "../../src/storage/feed/feed.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { skipWithout } from "../support/installed.ts";
import { missingPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { freshWholeDatabaseUrl, sharedPostgresUrl } from "../support/postgres-schema.ts";
import { startServer } from "../support/server.ts";
import { query } from "../upgrades/state.ts";
import { walk } from "./walk.ts";

/** A new database through PgBouncer in front of the shared server. */
async function throughPgBouncer(context: TestContext, mode: "session" | "transaction"): Promise<string> {
  skipWithout(context, missingPgBouncer());
  const pooler = await startPgBouncer(sharedPostgresUrl(), mode);
  onTestFinished(() => pooler.stop());
  return pooler.through(await freshWholeDatabaseUrl());
}

describe("in session mode", () => {
  test("a server starts, writes, lists, waits, logs in, deletes and starts again", async (context) => {
    await expect(walk(await throughPgBouncer(context, "session"))).resolves.toBeUndefined();
  });

  test("what one server writes another is told by a message, which says what it was", async (context) => {
    const url = await throughPgBouncer(context, "session");
    const dataDir = temporaryDirectory();
    const [one, two] = [await openForTest(url, { dataDir }), await openForTest(url, { dataDir })] as [
      Database,
      Database,
    ];
    const partition = await ensurePartition(two, "default");
    const heard: FeedEvent[] = [];
    onTestFinished(two.feed.subscribe({ onCommitted: (event) => heard.push(event) }));
    const change = { table: "tokens", namespace: "default", partition: "default", key: "k" } as const;
    const isHeard = async (): Promise<boolean> => {
      await one.inTransaction(partition, (tx) => Promise.resolve(tx.touch(change)));
      await sleep(50);
      // Polling finds that something has changed, and not what; a message that comes later than a poll says no more.
      return heard.some((event) => "key" in event && event.key === change.key);
    };
    await expect.poll(isHeard, { timeout: 60_000, interval: 1 }).toBe(true);
  });
});

describe("in transaction mode", () => {
  test.for(["notify", "poll"])(
    "incident 64: no server starts, says why, and makes nothing, with --feed %s",
    async (feed, context) => {
      const database = await throughPgBouncer(context, "transaction");
      const started = startServer({ database, args: ["--feed", feed] });
      await expect(started).rejects.toThrow(
        /\ntessera: PostgreSQL is behind a pooler that shares sessions, such as PgBouncer in transaction mode\. Use its session mode, or set --database to PostgreSQL itself \(see docs\/operations\/postgresql\.md\)\n/,
      );
      expect(await query(database, "select to_regclass('meta') as made")).toEqual([{ made: null }]);
    },
  );
});

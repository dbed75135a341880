/** The servers of one database see each other, and which of them has stopped answering. */
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { countRows, openForTest } from "../../../test/support/storage.ts";
import type { Database, Reader } from "../database.ts";
import { readClock, takeLease } from "../feed/lease.ts";
import { startNodeNotes, type NodeNotes } from "../feed/nodes.ts";

/** Shows a server until the test ends, which no failure may stop. */
function show(db: Database, name: string): NodeNotes {
  const errors: unknown[] = [];
  const notes = startNodeNotes(db, { name, version: "1.2.3" }, (error) => errors.push(error));
  onTestFinished(async () => {
    await notes.stop();
    expect(errors).toEqual([]);
  });
  return notes;
}

const GONE = "node/gone";

/** As if a server had been seen so much earlier. */
async function letTimePass(db: Database, name: string, seconds: number): Promise<void> {
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded("time passes");
    const leases = tx.sql.updateTable("leases").where("name", "like", `${name}%`);
    tx.write(leases.set((eb) => ({ expires_at: eb("expires_at", "-", seconds) })));
  });
  // Reads that a server of this process makes in one turn are of one moment.
  await setImmediate();
}

/** @returns lets time pass by the clock that nobody sets, in seconds */
function letTimeReallyPass(): (seconds: number) => void {
  const real = performance.now.bind(performance);
  let passed = 0;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => real() + passed * 1000);
  onTestFinished(() => spy.mockRestore());
  return (seconds) => (passed += seconds);
}

/** The same database with a clock that jumps, in seconds. */
function aClock(db: Database): { db: Database; jump: (seconds: number) => void } {
  let ahead = 0;
  const moved = <T extends Pick<Reader, "run">>(reader: T): T => ({
    ...reader,
    run: async (query: unknown, given: unknown) => {
      const rows = await (reader.run as (...all: unknown[]) => Promise<object[]>)(query, given);
      return query === readClock ? rows.map((row) => ({ now: (row as { now: number }).now + ahead })) : rows;
    },
  });
  const inTransaction: Database["inTransaction"] = (counter, work, origin) =>
    db.inTransaction(counter, (tx) => work(moved(tx)), origin);
  return { db: { ...moved(db), inTransaction }, jump: (seconds) => (ahead += seconds) };
}

const isThere = (name: string, isReady = true) => ({ name, version: "1.2.3", seenAt: expect.any(Number), isReady });

forEachEngine((engine, makeUrl) => {
  test("a server is seen by others until it is stopped, and by itself never", async () => {
    const [url, dataDir] = [await makeUrl(), temporaryDirectory()];
    const db = await openForTest(url, { dataDir });
    // An embedded database has one process.
    const other = engine === "sqlite" ? db : await openForTest(url, { dataDir });
    const [one, two] = [show(db, "web-1:1"), show(other, "web-2:2")];
    await expect.poll(() => one.others()).toEqual([isThere("web-2:2")]);
    await expect.poll(() => two.others()).toEqual([isThere("web-1:1")]);
    const [seen] = await one.others();
    expect(Math.abs((seen?.seenAt ?? 0) - Date.now())).toBeLessThan(60_000);
    await two.stop();
    expect(await one.others()).toEqual([]);
    expect(await countRows(db, "leases")).toBe(1);
  });

  test("one that is not seen any more is told as such, then not at all, and what is left of it goes", async () => {
    const db = await openForTest(await makeUrl());
    await takeLease(db, GONE, "web-1:1 1.2.3");
    const one = show(db, "web-2:2");
    expect(await one.others()).toEqual([isThere("web-1:1")]);
    const passed = letTimeReallyPass();
    passed(60);
    expect(await one.others()).toEqual([isThere("web-1:1", false)]);
    passed(3600);
    expect(await one.others()).toEqual([]);
    await letTimePass(db, GONE, 3660);
    show(db, "web-3:3");
    // A server that shows itself deletes the rows that others have left.
    await expect.poll(() => countRows(db, "leases")).toBe(2);
    await expect.poll(() => one.others()).toEqual([isThere("web-3:3")]);
  });

  test("incident 63: after a jump of the clock a living server is not taken for gone, and is not forgotten", async () => {
    const db = await openForTest(await makeUrl());
    const jumping = aClock(db);
    const [one, two] = [show(jumping.db, "web-1:1"), show(jumping.db, "web-2:2")];
    await expect.poll(() => one.others()).toEqual([isThere("web-2:2")]);
    await expect.poll(() => two.others()).toEqual([isThere("web-1:1")]);
    for (const hours of [3, -5]) {
      jumping.jump(hours * 3600);
      expect(await one.others()).toEqual([isThere("web-2:2")]);
      // A server that shows itself after the jump deletes no row of another.
      const names = () => db.sql.selectFrom("leases").select(["name", "expires_at"]).orderBy("name").execute();
      const before = await names();
      await expect
        .poll(async () => (await names()).every(({ expires_at: then }, n) => then !== before[n]?.expires_at), {
          timeout: 30_000,
        })
        .toBe(true);
      expect((await names()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    }
  });

  test("that it is there is shown again and again, by which nobody is woken who waits for what is written", async () => {
    const db = await openForTest(await makeUrl());
    show(db, "web-1:1");
    await expect.poll(() => countRows(db, "leases")).toBe(1);
    await letTimePass(db, "node/", 60);
    const counters = () => db.sql.selectFrom("counters").select(["name", "value"]).orderBy("name").execute();
    const renewed = () => db.sql.selectFrom("leases").select("expires_at").executeTakeFirstOrThrow();
    const [before, { expires_at: then }] = [await counters(), await renewed()];
    await expect.poll(async () => (await renewed()).expires_at, { timeout: 30_000 }).toBeGreaterThan(then);
    expect(before.map(({ name }) => name)).toContain("root");
    expect(await counters()).toEqual(before);
  });
});

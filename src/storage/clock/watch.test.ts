/** Incident 63: until when a clock was trusted outlives a start, and nothing that a clock in doubt writes moves it. */
import { expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { openForTest } from "../../../test/support/storage.ts";
import type { Database } from "../database.ts";
import { STAND_MS } from "./trusted.ts";
import { startClockWatch } from "./watch.ts";

const DAY = 86_400_000;
const AHEAD = 410 * DAY;

/** A start by a clock that is so many milliseconds off. */
async function startAt(db: Database, off: number, isAccepted = false) {
  const told: string[] = [];
  const shift = { off };
  const watch = await startClockWatch(
    { ...db, now: () => db.now() + shift.off },
    {
      isAccepted,
      onWarning: (message) => told.push(message),
      onError: (error) => told.push(String(error)),
    },
  );
  onTestFinished(() => watch.stop());
  return { watch, told, shift };
}

/** The same, and its end. @returns whether the clock was in doubt */
async function isDoubted(db: Database, off: number, isAccepted = false): Promise<boolean> {
  const { watch } = await startAt(db, off, isAccepted);
  const inDoubt = watch.isInDoubt();
  await watch.stop();
  return inDoubt;
}

/** Writes what a server writes whose clock is so many milliseconds off: an audit record, and a lease. */
async function writeAt(db: Database, off: number): Promise<void> {
  const at = db.now() + off;
  await db.inTransaction({ kind: "root" }, async (tx) => {
    const [last] = await tx.sql
      .selectFrom("audit_records")
      .select("seq")
      .where("chain", "=", "partition/default")
      .orderBy("seq", "desc")
      .limit(1)
      .execute();
    const ids = { accessor_id: "", object_id: "", organization_id: "", request_id: "" };
    const what = { kind: "policy", name: "", action: "create", outcome: "done" as const, detail: "{}", hash: "" };
    const where = { chain: "partition/default", seq: (last?.seq ?? 0) + 1, partition: "default", namespace: "default" };
    tx.write(tx.sql.insertInto("audit_records").values({ ...ids, ...what, ...where, at: new Date(at).toISOString() }));
    const lease = { name: `work-${where.seq}`, holder: "", fence: 1, expires_at: Math.round(at / 1000) };
    tx.write(tx.sql.insertInto("leases").values(lease));
  });
}

forEachEngine((_engine, makeUrl) => {
  test("incident 63: a clock in doubt is in doubt after each start, whatever was written by it meanwhile", async () => {
    const db = await openForTest(await makeUrl());
    expect(await isDoubted(db, 0)).toBe(false);
    for (let start = 0; start < 3; start++) {
      expect(await isDoubted(db, AHEAD)).toBe(true);
      await writeAt(db, AHEAD);
    }
    // Set right, it is trusted at once: no record of a wrong clock stands against it.
    expect(await isDoubted(db, 0)).toBe(false);
    expect(await isDoubted(db, AHEAD)).toBe(true);
    expect(await isDoubted(db, -3 * DAY)).toBe(true);
    expect(await isDoubted(db, -3 * DAY)).toBe(true);
  });

  test("incident 63: the same after an upgrade, where no start has noted yet until when the clock was trusted", async () => {
    const db = await openForTest(await makeUrl());
    await writeAt(db, 0);
    expect(await isDoubted(db, AHEAD)).toBe(true);
    await writeAt(db, AHEAD);
    expect(await isDoubted(db, AHEAD)).toBe(true);
    expect(await isDoubted(db, 0)).toBe(false);
  });

  test("a clock that an operator accepts is trusted by the next start, and a database of days ago is not by itself", async () => {
    const db = await openForTest(await makeUrl());
    expect(await isDoubted(db, 0)).toBe(false);
    expect(await isDoubted(db, 3 * DAY)).toBe(true);
    expect(await isDoubted(db, 3 * DAY, true)).toBe(false);
    expect(await isDoubted(db, 3 * DAY)).toBe(false);
  });

  test("a clock that jumps while the server runs is in doubt for who starts then, and nothing is removed", async () => {
    const db = await openForTest(await makeUrl());
    const { watch, told, shift } = await startAt(db, 0);
    const removal = { lease: "work", rows: { least: 1, most: 1 }, jobs: () => Promise.reject(new Error("it removes")) };
    await expect(watch.holding(removal).jobs()).rejects.toThrow("it removes");
    shift.off = STAND_MS * 25;
    expect(await watch.holding(removal).jobs()).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^the system clock is not trusted: it is 25 hours ahead of the expected time/),
    ]);
    await watch.stop();
    await writeAt(db, shift.off);
    expect(await isDoubted(db, shift.off)).toBe(true);
  });
});

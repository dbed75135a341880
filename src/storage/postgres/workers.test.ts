import { describe, expect, test, vi } from "vitest";
import type { SentStatement } from "./connection.ts";
import { findWeakWorker, watchWorkers } from "./workers.ts";

interface Worker {
  synchronous_commit: string;
  fsync: string;
  /** Milliseconds by which its clock differs. */
  off: number;
  success: boolean;
}

const GOOD: Worker = { synchronous_commit: "on", fsync: "on", off: 0, success: true };
const NOW = 1_800_000_000_000;

/** A coordinator that answers for these workers. */
function coordinatorOf(workers: readonly Worker[], isDistributed = true) {
  return {
    query({ text }: SentStatement) {
      const rows = text.includes("run_command_on_workers")
        ? workers.map(({ off, success, ...settings }, at) => ({
            worker: `w${at + 1}:5432`,
            success,
            result: success ? JSON.stringify({ ...settings, at: NOW + 5 + off }) : "connection failed",
            here: NOW,
            after: NOW + 10,
          }))
        : [{ found: text.includes("to_regclass") || isDistributed }];
      return Promise.resolve({ rows, rowCount: rows.length } as never);
    },
  };
}

describe("workers of a distributed schema", () => {
  test.each([
    [[], undefined],
    [[GOOD, GOOD], undefined],
    [[GOOD, { ...GOOD, synchronous_commit: "remote_apply" }], undefined],
    [[GOOD, { ...GOOD, success: false }], undefined],
    [[GOOD, { ...GOOD, off: 900 }], undefined],
    [[GOOD, { ...GOOD, synchronous_commit: "off" }], "worker w2:5432 of the database has synchronous_commit=off"],
    [[{ ...GOOD, synchronous_commit: "local" }, GOOD], "worker w1:5432 of the database has synchronous_commit=local"],
    [[GOOD, { ...GOOD, fsync: "off" }], "worker w2:5432 of the database has fsync=off"],
    [[GOOD, { ...GOOD, off: 30_000 }], "has a clock that differs by 30.0 s; synchronize the clocks"],
    [[GOOD, { ...GOOD, off: -2_000 }], "has a clock that differs by -2.0 s; synchronize the clocks"],
  ])("%j: %s", async (workers, problem) => {
    const found = await findWeakWorker(coordinatorOf(workers));
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  test("are not asked where the schema is on one server", async () => {
    expect(await findWeakWorker(coordinatorOf([{ ...GOOD, fsync: "off" }], false))).toBeUndefined();
  });

  test("are checked at the start and once a minute; a problem is told and stops writes until it ends", async () => {
    const warnings: string[] = [];
    const workers = [{ ...GOOD, fsync: "off" }];
    const watch = () =>
      watchWorkers(
        () => coordinatorOf(workers),
        (text) => void warnings.push(text),
      );
    await expect(watch()).rejects.toThrow(/^worker w1:5432 of the database has fsync=off/);
    vi.useFakeTimers();
    try {
      workers[0] = GOOD;
      const { refusal, stop } = await watch();
      expect(refusal()).toBeUndefined();
      workers[0] = { ...GOOD, synchronous_commit: "off" };
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refusal()).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("synchronous_commit=off"),
      });
      workers[0] = GOOD;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refusal()).toBeUndefined();
      stop();
      workers[0] = { ...GOOD, fsync: "off" };
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refusal()).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
    expect(warnings).toEqual([
      expect.stringMatching(/^worker w1:5432 .*; writes are rejected$/),
      "the workers of the database are available again",
    ]);
  });
});

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { afterNextTurn, atOnce, createTurns } from "./turns.ts";

function work(milliseconds: number): void {
  const ends = performance.now() + milliseconds;
  while (performance.now() < ends);
}

describe("turns", () => {
  test("all work of one kind shares one turn: something else gets in between, however many there are", async () => {
    const turns = createTurns(5);
    let worked = 0;
    let others = 0;
    const most: number[] = [];
    const all = Promise.all(
      Array.from({ length: 30 }, async () => {
        await turns.next();
        // Promises that are resolved already give nothing back.
        await Promise.resolve();
        work(2);
        worked += 1;
      }),
    );
    let isOver = false;
    void all.then(() => (isOver = true));
    while (!isOver) {
      const before = worked;
      await setImmediate();
      most.push(worked - before);
      others += 1;
    }
    expect(worked).toBe(30);
    // Each takes 2 ms, and a share is 5.
    expect(Math.max(...most)).toBeLessThanOrEqual(3);
    expect(others).toBeGreaterThanOrEqual(10);
  });

  test("whoever waits goes on in the order of coming, and before who comes only now", async () => {
    const turns = createTurns(1);
    const seen: number[] = [];
    const first = Promise.all([1, 2, 3].map((name) => turns.next().then(() => void (work(2), seen.push(name)))));
    expect(turns.isSpent()).toBe(true);
    await first;
    expect(seen).toEqual([1, 2, 3]);
    await sleep(5);
    expect(turns.isSpent()).toBe(false);
    work(2);
    expect(turns.isSpent()).toBe(true);
  });

  test("work in steps pauses between them, and gives what it gives at once", async () => {
    const turns = createTurns(2);
    function* steps(count: number): Generator<void, number> {
      for (let step = 0; step < count; step++) {
        work(1);
        yield;
      }
      return count;
    }
    let others = 0;
    let isOver = false;
    const run = Promise.all([turns.run(steps(10)), turns.run(steps(10))]).finally(() => (isOver = true));
    while (!isOver) {
      await setImmediate();
      others += 1;
    }
    expect(await run).toEqual([10, 10]);
    expect(others).toBeGreaterThanOrEqual(5);
    expect(atOnce(steps(3))).toBe(3);
  });

  test("many can wait for what has arrived by now to be heard", async () => {
    const seen: string[] = [];
    const waited = afterNextTurn().then(() => seen.push("waited"));
    await setImmediate().then(() => seen.push("next turn"));
    await waited;
    expect(seen).toEqual(["next turn", "waited"]);
  });
});

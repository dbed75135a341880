import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { somebody } from "../test/support/callers.ts";
import { type WorkCaller, CallerGone, workFor } from "./callers.ts";
import { afterNextTurn, atOnce, createTurns, pause, startTurn, workInTurns } from "./turns.ts";
import { createOwnedLane } from "./limits/owned-lane.ts";
import { workInPlaces } from "./work-places.ts";

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
    await expect.poll(() => turns.isSpent()).toBe(false);
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

describe("work of callers", () => {
  /** Steps of 2 ms. @param done counts them */
  function* steps(count: number, done: { steps: number }): Generator<void, number> {
    for (let step = 0; step < count; step++) {
      work(2);
      done.steps += 1;
      yield;
    }
    return count;
  }
  const begin = (caller: WorkCaller, count: number, done = { steps: 0 }) => ({
    done,
    result: workFor(caller, () => workInTurns(steps(count, done))),
  });

  test("incident 68: work ends at its next pause when its client has gone, in whichever way it pauses", async () => {
    const caller = somebody("gone");
    const { done, result } = begin(caller, 1000);
    const end = result.catch((error: unknown) => error);
    await expect.poll(() => done.steps).toBeGreaterThan(0);
    caller.go();
    const before = done.steps;
    expect(await end).toBeInstanceOf(CallerGone);
    expect(done.steps - before).toBeLessThanOrEqual(5);
    await expect.poll(() => workInPlaces.running()).toBe(0);
    const turn = startTurn();
    for (const wait of [() => turn.next(), pause]) await expect(workFor(caller, wait)).rejects.toThrow(CallerGone);
    const turns = createTurns(1);
    expect(turns.isSpent()).toBe(false);
    work(2);
    await expect(workFor(caller, () => turns.pause())).rejects.toThrow(CallerGone);
    // For nobody in particular it goes on.
    expect(await workInTurns(steps(5, done))).toBe(5);
  });

  test("what needs long takes a place, of which a token and a namespace have so many, and leaves it", async () => {
    const begun = (caller: string, group: string, count: number) =>
      Array.from({ length: count }, () => begin(somebody(caller, group), 20));
    const ofOne = begun("a", "one", 4);
    await expect.poll(() => [workInPlaces.running(), workInPlaces.waiting()]).toEqual([2, 2]);
    const ofOthers = ["b", "c", "d"].flatMap((name) => begun(name, "one", 2));
    await expect.poll(() => [workInPlaces.running(), workInPlaces.waiting()]).toEqual([6, 4]);
    const elsewhere = ["e", "f"].flatMap((name) => begun(name, "other", 2));
    await expect.poll(() => [workInPlaces.running(), workInPlaces.waiting()]).toEqual([8, 6]);
    const all = await Promise.all([...ofOne, ...ofOthers, ...elsewhere].map(({ result }) => result));
    expect(all).toEqual(Array.from({ length: 14 }, () => 20));
    await expect.poll(() => [workInPlaces.running(), workInPlaces.waiting()]).toEqual([0, 0]);
  });

  test("what is done soon needs no place, though others wait for one", async () => {
    let isEnough = false;
    function* untilEnough(): Generator<void, void> {
      while (!isEnough) {
        work(2);
        yield;
      }
    }
    const long = Array.from({ length: 4 }, () => workFor(somebody("busy"), () => workInTurns(untilEnough())));
    await expect.poll(() => workInPlaces.waiting()).toBe(2);
    // One that another process holds up needs long too, and gets its place when there is enough.
    const short = Array.from({ length: 10 }, () => begin(somebody("busy"), 1).result);
    expect(await Promise.any(short)).toBe(1);
    expect(workInPlaces.running()).toBe(2);
    isEnough = true;
    await Promise.all([...long, ...short]);
  });

  test("whoever goes while it waits for a place leaves it to others", async () => {
    const long = Array.from({ length: 2 }, () => begin(somebody("queue"), 100));
    await expect.poll(() => workInPlaces.running()).toBe(2);
    const waiting = somebody("queue");
    const { result } = begin(waiting, 100);
    await expect.poll(() => workInPlaces.waiting()).toBe(1);
    const end = result.catch((error: unknown) => error);
    waiting.go();
    expect(await end).toBeInstanceOf(CallerGone);
    expect(workInPlaces.waiting()).toBe(0);
    await Promise.all(long.map((each) => each.result));
  });

  /** Work of 2 ms and more between pauses, in each way to pause that has no end of its own. It goes on until it is told to end. */
  const byPause = () => async () => {
    work(3);
    await pause();
  };
  function byTurn() {
    const turn = startTurn();
    return async () => {
      work(3);
      expect(turn.isOver()).toBe(true);
      await turn.next();
    };
  }
  function byTurns() {
    const turns = createTurns(1);
    return async () => {
      turns.isSpent();
      work(3);
      await turns.pause();
    };
  }
  const ways = [
    { way: "pause()", begins: byPause },
    { way: "startTurn()", begins: byTurn },
    { way: "Turns.pause()", begins: byTurns },
  ];
  const goOnFor = (caller: WorkCaller, begins: () => () => Promise<void>, isEnough: () => boolean) =>
    workFor(caller, async () => {
      const step = begins();
      while (!isEnough()) await step();
    });
  const counts = () => [workInPlaces.running(), workInPlaces.waiting()];

  test.each(ways)("incident 68: $way takes a place once it has needed long, and gives it back", async ({ begins }) => {
    let isEnough = false;
    const three = Array.from({ length: 3 }, () => goOnFor(somebody("pausing"), begins, () => isEnough));
    await expect.poll(counts).toEqual([2, 1]);
    isEnough = true;
    await Promise.all(three);
    await expect.poll(counts).toEqual([0, 0]);
  });

  test("branches of one caller have one place together, which its pauses and its steps share", async () => {
    let isEnough = false;
    const caller = somebody("branches");
    const branches = ways.map(({ begins }) => goOnFor(caller, begins, () => isEnough));
    function* untilEnough(): Generator<void, void> {
      while (!isEnough) {
        work(2);
        yield;
      }
    }
    branches.push(workFor(caller, () => workInTurns(untilEnough())));
    await expect.poll(counts).toEqual([1, 0]);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(counts()).toEqual([1, 0]);
    isEnough = true;
    await Promise.all(branches);
    await expect.poll(counts).toEqual([0, 0]);
  });

  test("what is in a lane needs no place, and what waits for a lane gives its own back", async () => {
    const lane = createOwnedLane("questions", 1, "Too many");
    const leave = await lane.take("somebody else");
    const caller = somebody("in a lane");
    let asked = 0;
    const isEnough = () => ++asked > 20;
    const asking = workFor(caller, async () => {
      await goOnFor(caller, byPause, isEnough);
      expect(counts()).toEqual([1, 0]);
      await lane.run("it", async () => {
        expect(counts()).toEqual([0, 0]);
        asked = 0;
        await goOnFor(caller, byTurn, isEnough);
        expect(counts()).toEqual([0, 0]);
      });
      asked = 0;
      await goOnFor(caller, byPause, isEnough);
      expect(counts()).toEqual([1, 0]);
    });
    while (lane.waiting() === 0) await setImmediate();
    await setImmediate();
    // At once, and not only because it does not pause for so long.
    expect(counts()).toEqual([0, 0]);
    leave();
    await asking;
    await expect.poll(counts).toEqual([0, 0]);
  });
});

import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { somebody } from "../test/support/callers.ts";
import { CallerGone, callerNow, onceShared, shareWork, throwIfGone, workFor } from "./callers.ts";

/** Work of so many pauses. @param done how many pieces were done */
function inPieces(pieces: number, done: number[] = []) {
  return async () => {
    for (let piece = 0; piece < pieces; piece++) {
      done.push(piece);
      await setImmediate();
      throwIfGone();
    }
    return pieces;
  };
}

test("work is done for who began it, however deep, and what is begun for nobody never ends", async () => {
  const one = somebody();
  expect(callerNow()).toBeUndefined();
  await workFor(one, async () => {
    await setImmediate();
    expect(callerNow()).toBe(one);
    one.go();
    await workFor(undefined, inPieces(2));
    expect(throwIfGone).toThrow(CallerGone);
  });
  throwIfGone();
});

describe("work that several wait for", () => {
  test("goes on as long as one of them is there, and gives it to all", async () => {
    const [first, second] = [somebody(), somebody("u")];
    const done: number[] = [];
    const work = inPieces(5, done);
    const shared = workFor(first, () => shareWork(work));
    const joined = [first, second].map((caller) => workFor(caller, () => shared.join(work)));
    await setImmediate();
    first.go();
    expect(await Promise.all(joined)).toEqual([5, 5]);
    expect([done.length, shared.isGone()]).toEqual([5, false]);
  });

  test("ends at its next pause when the last of them has gone", async () => {
    const [first, second] = [somebody(), somebody()];
    const done: number[] = [];
    const work = inPieces(50, done);
    const shared = workFor(first, () => shareWork(work));
    const joined = [first, second].map((caller) => workFor(caller, () => shared.join(work)));
    const all = Promise.allSettled(joined);
    await setImmediate();
    first.go();
    await setImmediate();
    const before = done.length;
    second.go();
    expect(await all).toMatchObject([{ reason: expect.any(CallerGone) }, { reason: expect.any(CallerGone) }]);
    expect(done.length - before).toBeLessThanOrEqual(1);
    expect(shared.isGone()).toBe(true);
  });

  test("is not ended by its callers where nobody in particular waits too", async () => {
    const first = somebody();
    const work = inPieces(3);
    const shared = workFor(first, () => shareWork(work));
    const joined = [workFor(first, () => shared.join(work)), shared.join(work)];
    first.go();
    expect(await Promise.all(joined)).toEqual([3, 3]);
  });

  test("is done alone by who came when it was about to end", async () => {
    const [first, late] = [somebody(), somebody()];
    const shared = workFor(first, () => shareWork(inPieces(50)));
    const ended = workFor(first, () => shared.join(inPieces(50)));
    const end = ended.catch((error: unknown) => error);
    first.go();
    expect(shared.isGone()).toBe(true);
    expect(await workFor(late, () => shared.join(() => Promise.resolve(7)))).toBe(7);
    expect(await end).toBeInstanceOf(CallerGone);
  });

  test("takes the share of who began it, and tells what waits in it that all have gone", async () => {
    const [first, second] = [somebody("first"), somebody("second")];
    const waiting = Promise.withResolvers<never>();
    const work = () => {
      expect(callerNow()?.owner).toEqual({ name: "first", group: "default/default" });
      callerNow()?.gone.addEventListener("abort", () => waiting.reject(new CallerGone()));
      return waiting.promise;
    };
    const shared = workFor(first, () => shareWork(work));
    const joined = [first, second].map((caller) => workFor(caller, () => shared.join(work)));
    const all = Promise.allSettled(joined);
    first.go();
    expect(shared.isGone()).toBe(false);
    second.go();
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("keeps none of those who asked once it is over", async () => {
    const first = somebody();
    const work = () => Promise.resolve(1);
    const shared = workFor(first, () => shareWork(work));
    await workFor(first, () => shared.join(work));
    first.go();
    expect(shared.isGone()).toBe(false);
    expect(await workFor(somebody(), () => shared.join(work))).toBe(1);
  });

  test("incident 68: kept work is begun anew after its caller has gone, and after a failure, and then never again", async () => {
    const [first, second] = [somebody(), somebody()];
    let begun = 0;
    const kept = onceShared(async () => {
      begun += 1;
      if (begun === 2) throw new Error("failed");
      return inPieces(5)();
    });
    const dropped = workFor(first, kept).catch((error: unknown) => error);
    first.go();
    expect(await dropped).toBeInstanceOf(CallerGone);
    await expect(workFor(second, kept)).rejects.toThrow("failed");
    expect(await Promise.all([workFor(second, kept), kept()])).toEqual([5, 5]);
    expect([await kept(), begun]).toEqual([5, 3]);
  });
});

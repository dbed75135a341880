import { expect, it } from "vitest";
import { somebody } from "../../test/support/callers.ts";
import { CallerGone, workFor } from "../callers.ts";
import { createOwnedLane } from "./owned-lane.ts";

/** Work that goes on until it is told to end. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let began = false;
  return {
    work: () => {
      began = true;
      return promise;
    },
    end: () => resolve("done"),
    hasBegun: () => began,
  };
}

it("does one piece of each owner at a time, and so many in all", async () => {
  const lane = createOwnedLane("work", 2, "Too much");
  const [first, second, other, third] = [held(), held(), held(), held()];
  const all = [
    lane.run("a", first.work),
    lane.run("a", second.work),
    lane.run("b", other.work),
    lane.run("c", third.work),
  ];
  const begun = () => [first, second, other, third].map((each) => each.hasBegun());
  await expect.poll(begun).toEqual([true, false, true, false]);
  first.end();
  await all[0];
  await expect.poll(() => begun().filter(Boolean).length).toBe(3);
  for (const each of [second, other, third]) each.end();
  expect(await Promise.all(all)).toEqual(["done", "done", "done", "done"]);
});

it("lets eight of an owner wait, and refuses more with the time after which to try again", async () => {
  const lane = createOwnedLane("work", 2, "Too much");
  const first = held();
  const all = Array.from({ length: 9 }, () => lane.run("a", first.work));
  await expect(lane.run("a", first.work)).rejects.toMatchObject({
    code: "unavailable",
    message: "Too much; retry later",
    retryAfterSeconds: 1,
  });
  const other = lane.run("b", () => Promise.resolve("other"));
  expect(await other).toBe("other");
  first.end();
  expect(await Promise.all(all)).toHaveLength(9);
});

it("incident 68: whoever goes while it waits keeps nobody from waiting, and a place is given back once", async () => {
  const lane = createOwnedLane("work", 1, "Too much", { waiting: { ofOwner: 1, all: 8, milliseconds: 10_000 } });
  const leave = await lane.take("a");
  const caller = somebody();
  const waiting = workFor(caller, () => lane.take("a"));
  await expect(lane.take("a")).rejects.toThrow("Too much");
  expect([lane.running(), lane.waiting()]).toEqual([1, 1]);
  caller.go();
  await expect(waiting).rejects.toThrow(CallerGone);
  expect([lane.running(), lane.waiting()]).toEqual([1, 0]);
  const next = lane.take("a");
  leave();
  leave();
  const leaveNext = await next;
  expect([lane.running(), lane.waiting()]).toEqual([1, 0]);
  leaveNext();
  await expect.poll(() => lane.running()).toBe(0);
});

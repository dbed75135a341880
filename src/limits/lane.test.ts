import { expect, it } from "vitest";
import { createLane } from "./lane.ts";

/** A lane with one place, and what has begun in it, in order. */
function laneOfOne(waiting = 10) {
  const late = () => new Error("late");
  const full = () => new Error("full");
  const lane = createLane({ pool: "work", running: 1, waiting, milliseconds: 60_000 }, { full, late });
  const begun: string[] = [];
  const bring = (name: string, owner?: string, signal?: AbortSignal) =>
    lane.run(
      () => {
        begun.push(name);
        return Promise.resolve(name);
      },
      signal,
      owner,
    );
  return { lane, begun, bring };
}

it("incident 69: gives turns to owners one after the other, and to an owner's work in its order", async () => {
  const { begun, bring } = laneOfOne();
  const many = ["a1", "a2", "a3", "a4"].map((name) => bring(name, "a"));
  const others = [bring("b1", "b"), bring("c1"), bring("b2", "b")];
  await Promise.all([...many, ...others]);
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

it("forgets who has stopped waiting, and goes on with the others", async () => {
  const { lane, begun, bring } = laneOfOne(3);
  const leaving = new AbortController();
  const first = bring("a1", "a");
  const gone = bring("b1", "b", leaving.signal);
  const last = bring("c1", "c");
  leaving.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  expect(await Promise.all([first, last])).toEqual(["a1", "c1"]);
  expect(begun).toEqual(["a1", "c1"]);
  expect(lane.isIdle()).toBe(true);
});

it("counts those who wait over all owners", async () => {
  const { bring } = laneOfOne(2);
  const all = [bring("a1", "a"), bring("b1", "b"), bring("c1", "c")];
  await expect(bring("d1", "d")).rejects.toThrow("full");
  expect(await Promise.all(all)).toHaveLength(3);
});

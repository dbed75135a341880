import { expect, test } from "vitest";
import { createInTurn } from "./in-turn.ts";

test("owners take turns, and of one owner what came first goes first", () => {
  const waiting = createInTurn<string>();
  for (const name of ["a1", "a2", "a3"]) waiting.add("a", name);
  for (const name of ["b1", "b2"]) waiting.add("b", name);
  waiting.add("c", "c1");
  expect(waiting.size()).toBe(6);
  const taken = [waiting.take(), waiting.take()];
  // A new owner is behind the others that wait, and not behind all their entries.
  waiting.add("d", "d1");
  while (waiting.size() > 0) taken.push(waiting.take());
  expect(taken).toEqual(["a1", "b1", "c1", "a2", "b2", "d1", "a3"]);
  expect(waiting.take()).toBeUndefined();
});

test("whatever comes in whatever order, nobody is passed twice by the same owner, and nothing is lost", () => {
  // A fixed sequence that looks like none.
  let seed = 7;
  const below = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 200; round++) {
    const waiting = createInTurn<{ owner: string; at: number }>();
    /** Waiting entries of each owner, in order, and how often others were served since its turn. */
    const left = new Map<string, { at: number[]; passed: Map<string, number> }>();
    for (let at = 0; at < 100; at++) {
      const owner = `o${below(6)}`;
      if (below(3) > 0) {
        waiting.add(owner, { owner, at });
        const mine = left.get(owner) ?? { at: [], passed: new Map<string, number>() };
        mine.at.push(at);
        left.set(owner, mine);
        continue;
      }
      const next = waiting.take();
      if (next === undefined) {
        expect([...left.values()].every((each) => each.at.length === 0)).toBe(true);
        continue;
      }
      expect(left.get(next.owner)?.at.shift()).toBe(next.at);
      for (const [other, { at: waits, passed }] of left) {
        if (other === next.owner || waits.length === 0) passed.clear();
        else passed.set(next.owner, (passed.get(next.owner) ?? 0) + 1);
        expect(Math.max(0, ...passed.values())).toBeLessThanOrEqual(1);
      }
    }
    const rest = [...left.values()].reduce((sum, each) => sum + each.at.length, 0);
    expect(waiting.size()).toBe(rest);
  }
});

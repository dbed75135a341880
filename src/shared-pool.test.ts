import { expect, test } from "vitest";
import { createPool, poolRefusalText, type PoolHolder } from "./shared-pool.ts";

const token = (name: string, group = "default/default"): PoolHolder => ({ name, group });

/** How much one may take, a unit at a time. */
function takeAll(pool: ReturnType<typeof createPool>, holder: PoolHolder | undefined): number {
  let taken = 0;
  while (pool.take(holder) === undefined) taken += 1;
  return taken;
}

test("incident 69: who is alone has three quarters, and the last one is for those with less than an eighth", () => {
  const pool = createPool("sending", 64);
  expect(takeAll(pool, token("greedy"))).toBe(48);
  expect(pool.take(token("greedy"))).toBe("large");
  // It has a large part, which is not counted against the tokens beside it but for an eighth.
  expect(takeAll(pool, token("beside"))).toBe(8);
  expect(pool.take(token("third"))).toBe("large");
  expect(takeAll(pool, token("elsewhere", "default/other"))).toBe(8);
  expect(pool.take(token("last", "default/last"))).toBe("full");
  expect(pool.used()).toBe(64);
  pool.give(token("greedy"), 48);
  expect(takeAll(pool, token("beside"))).toBe(32);
});

test("incident 69: a namespace of many tokens takes nothing of the last quarter once it has a quarter of all", () => {
  const pool = createPool("sending", 64);
  let taken = 0;
  for (let n = 0; n < 64; n++) if (pool.take(token(`${n}`)) === undefined) taken += 1;
  expect(taken).toBe(48);
  expect(takeAll(pool, token("x", "default/other"))).toBe(8);
  // An organization is in no group, and what is done for nobody in particular takes what there is.
  expect(takeAll(pool, { name: "an organization" })).toBe(8);
  pool.give({ name: "an organization" }, 8);
  expect(takeAll(pool, undefined)).toBe(8);
});

test("what is larger than an eighth goes to who has nothing, and what has to be done is done", () => {
  const pool = createPool("sending", 64);
  pool.force(token("greedy"), 48);
  expect(pool.take(token("other"), 16)).toBeUndefined();
  expect(pool.take(token("third", "default/third"), 1)).toBe("full");
  pool.force(token("third"), 10);
  expect([pool.used(), pool.refused(), pool.heldBy("third"), pool.heldBy("nobody")]).toEqual([74, 1, 10, 0]);
});

/** Random numbers below a bound, the same ones for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a caller with little always gets what is there, whatever others hoard (%i)",
  (seed) => {
    const random = randomOf(seed);
    const size = [7, 8, 64, 100, 1000][random(5)] ?? 8;
    const pool = createPool("sending", size);
    const held: { holder: PoolHolder; amount: number }[] = [];
    const sum = (of: (holder: PoolHolder) => boolean) =>
      held.reduce((all, { holder, amount }) => all + (of(holder) ? amount : 0), 0);
    const weight = (group: string | undefined) =>
      [...new Set(held.filter(({ holder }) => holder.group === group).map(({ holder }) => holder.name))].reduce(
        (all, name) =>
          all +
          Math.min(
            sum((holder) => holder.name === name),
            size / 8,
          ),
        0,
      );
    for (let step = 0; step < 3000; step++) {
      if (held.length > 0 && random(5) < 2) {
        const [{ holder, amount } = { holder: undefined, amount: 0 }] = held.splice(random(held.length), 1);
        pool.give(holder, amount);
        continue;
      }
      const group = random(4);
      const holder = token(`${group}-${random(6)}`, `${group}`);
      const amount = 1 + random(Math.max(1, size >> 4));
      const isThere = pool.used() + amount <= size;
      const isOpen = pool.used() + amount <= (size * 3) / 4;
      const isLittle = sum(({ name }) => name === holder.name) < size / 8 && weight(holder.group) < size / 4;
      const refusal = pool.take(holder, amount);
      expect([step, refusal]).toEqual([step, isThere ? (isOpen || isLittle ? undefined : "large") : "full"]);
      if (refusal === undefined) held.push({ holder, amount });
      expect(pool.used()).toBe(sum(() => true));
    }
  },
);

test("a refusal says whose part is large, where it is that", () => {
  expect(poolRefusalText("Too many ships wait", "full")).toBe("Too many ships wait; retry later");
  expect(poolRefusalText("Too many ships wait", "large")).toBe(
    "Too many ships wait, and this caller or its namespace already uses a large share of the capacity; retry later",
  );
});

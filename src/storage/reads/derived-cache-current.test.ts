/** Incident 67: a cache that is asked for what is there now, with a feed that does as it is told. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDerivedCache, type Dependency } from "./derived-cache.ts";
import type { FeedEvent, FeedListener } from "../feed/feed.ts";

const ON: readonly Dependency[] = [{ partition: "p", table: "t", key: "k" }];
const ROW = { partition: "p", namespace: "n", table: "t", key: "k" };

/** A cache, and what its feed answers. */
function start() {
  let listener: FeedListener | undefined;
  const answers: (boolean | Promise<boolean>)[] = [];
  const asked: string[] = [];
  const state = { isTrusted: true };
  const cache = createDerivedCache<string>({
    feed: {
      subscribe(given) {
        listener = given;
        return () => undefined;
      },
      isTrusted: () => state.isTrusted,
      isCurrent(partition) {
        asked.push(partition);
        return answers.shift() ?? true;
      },
      changes: () => undefined,
      addCache: () => undefined,
    },
    name: "test",
    maxBytes: 100_000,
    sizeOf: (value) => value.length,
  });
  const fill = (value: string) =>
    cache.fill(
      "key",
      async () => value,
      () => ON,
    );
  const current = (load: () => Promise<string>, on: readonly Dependency[] | undefined = ON) =>
    cache.current("key", load, () => on);
  const hear = (event: FeedEvent): void => listener?.onCommitted?.(event);
  return { cache, answers, asked, state, fill, current, hear, tell: () => hear({ ...ROW, index: 1 }) };
}

const not = (what: string) => async (): Promise<string> => {
  throw new Error(`${what} was loaded`);
};

test("incident 67: what is kept is given where the feed is current, in each partition once", async () => {
  const { cache, asked, current } = start();
  const both = [...ON, { partition: "q", table: "t" }, { partition: "p", table: "u" }];
  await cache.fill(
    "key",
    async () => "kept",
    () => both,
  );
  expect(await current(not("it"))).toBe("kept");
  expect(asked).toEqual(["p", "q"]);
});

test("incident 67: where it is not, what is loaded from then on is given, and takes the place of what was kept", async () => {
  const { cache, answers, fill, current } = start();
  await fill("old");
  answers.push(false);
  expect(await current(async () => "new")).toBe("new");
  expect(cache.get("key")).toBe("new");
  // An answer without a value ends the entry too.
  answers.push(false);
  expect(
    await cache.current(
      "key",
      async () => "nobody",
      () => undefined,
    ),
  ).toBe("nobody");
  expect(cache.get("key")).toBeUndefined();
});

test("incident 67: a change that is told while the database is asked ends what is kept", async () => {
  const { answers, fill, current, tell } = start();
  await fill("old");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  answers.push(promise);
  const asking = current(async () => "new");
  tell();
  resolve(true);
  expect(await asking).toBe("new");
});

test("incident 67: a load that was under way is nobody's who has to know of now, and does not last over theirs", async () => {
  const { cache, current } = start();
  const { promise, resolve } = Promise.withResolvers<string>();
  const before = cache.fill(
    "key",
    () => promise,
    () => ON,
  );
  const asking = current(async () => "new");
  const later = nextTurn().then(async () => nextTurn("it waits for the other one"));
  expect(await Promise.race([asking, later])).toBe("new");
  resolve("old");
  expect(await before).toBe("old");
  expect(cache.get("key")).toBe("new");
});

test("incident 67: those who ask in one turn share a load, and nobody one that has begun", async () => {
  const { current } = start();
  const { promise, resolve } = Promise.withResolvers<string>();
  let loads = 0;
  const load = async (): Promise<string> => {
    loads += 1;
    return promise;
  };
  const first = [current(load), current(load), current(load)];
  await nextTurn();
  await nextTurn();
  expect(loads).toBe(1);
  const second = current(async () => "newer");
  resolve("new");
  expect(await Promise.all([...first, second])).toEqual(["new", "new", "new", "newer"]);
});

test("incident 67: while the feed is not trusted everybody loads, and the database is not asked", async () => {
  const { asked, state, fill, current } = start();
  await fill("old");
  state.isTrusted = false;
  expect(await current(async () => "new")).toBe("new");
  expect(asked).toEqual([]);
});

test("when it is not known what changed in a partition, nothing of it is kept, and all of others", async () => {
  const { cache, fill, hear } = start();
  await fill("old");
  await cache.fill(
    "other",
    async () => "other",
    () => [{ partition: "q", table: "t" }],
  );
  hear({ partition: "p", all: true });
  expect(cache.get("key")).toBeUndefined();
  expect(cache.get("other")).toBe("other");
  await fill("new");
  expect(cache.get("key")).toBe("new");
});

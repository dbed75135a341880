import { afterEach, describe, expect, test, vi } from "vitest";
import { somebody } from "../test/support/callers.ts";
import { CallerGone, workFor } from "./callers.ts";
import { LIST_PLACES, listsInPlaces, ListPlace, listTurns, makeInPlace } from "./list-work.ts";

const begun: (() => void)[] = [];

afterEach(() => {
  vi.useRealTimers();
  // Lists of a failed test end too, so that the next test finds all places free.
  for (const end of begun.splice(0)) end();
});

const counts = () => [listsInPlaces.running(), listsInPlaces.waiting()];

/** Begins a list for somebody, and ends it when it is told to. */
function begin(caller = somebody()) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  begun.push(end);
  return { made: workFor(caller, () => makeInPlace(() => promise)), end };
}

describe("incident 70: places of lists", () => {
  test("of one token, of one namespace and of all so many are made at a time; the others wait and follow in order", async () => {
    const { ofToken, ofNamespace, all } = LIST_PLACES;
    const ofOne = Array.from({ length: 50 }, () => begin());
    await expect.poll(counts).toEqual([ofToken, 50 - ofToken]);
    const ofMany = Array.from({ length: 50 }, (_, n) => begin(somebody(`other ${n}`)));
    await expect.poll(counts).toEqual([ofNamespace, 100 - ofNamespace]);
    const elsewhere = Array.from({ length: 50 }, (_, n) => begin(somebody(`tenant ${n}`, `default/${n}`)));
    await expect.poll(counts).toEqual([all, 150 - all]);
    for (const { end } of [...ofOne, ...ofMany, ...elsewhere]) end();
    await Promise.all([...ofOne, ...ofMany, ...elsewhere].map(({ made }) => made));
    await expect.poll(counts).toEqual([0, 0]);
  });

  test("whoever goes waits no longer, and takes no place", async () => {
    const caller = somebody();
    const before = Array.from({ length: LIST_PLACES.ofToken }, () => begin(caller));
    await expect.poll(counts).toEqual([LIST_PLACES.ofToken, 0]);
    const other = somebody();
    const late = begin(other);
    await expect.poll(counts).toEqual([LIST_PLACES.ofToken, 1]);
    other.go();
    await expect(late.made).rejects.toThrow(CallerGone);
    await expect.poll(counts).toEqual([LIST_PLACES.ofToken, 0]);
    for (const { end } of before) end();
    await Promise.all(before.map(({ made }) => made));
  });

  test("a list whose client reads on keeps its place, and one that is left unread gives it to another", async () => {
    const caller = somebody();
    await workFor(caller, async () => {
      const place = new ListPlace();
      await place.take();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      place.handOut();
      vi.advanceTimersByTime(400);
      await place.take();
      vi.advanceTimersByTime(10_000);
      expect(counts()).toEqual([1, 0]);
      place.handOut();
      vi.advanceTimersByTime(600);
      await Promise.resolve();
      await expect.poll(counts).toEqual([0, 0]);
      await place.take();
      expect(counts()).toEqual([1, 0]);
      place.leave();
      place.leave();
    });
    vi.useRealTimers();
    await expect.poll(counts).toEqual([0, 0]);
  });
});

test("incident 70: callers go on in turn, however much one of them has waiting", async () => {
  const seen: string[] = [];
  const [many, few] = [somebody("many"), somebody("few")];
  const wait = (caller: typeof many, name: string): Promise<unknown> =>
    workFor(caller, () => listTurns.next().then(() => seen.push(name)));
  const all = [...Array.from({ length: 20 }, () => wait(many, "many")), wait(few, "few"), wait(few, "few")];
  await Promise.all(all);
  expect(seen.slice(0, 5)).toEqual(["many", "few", "many", "few", "many"]);
  expect(seen).toHaveLength(22);
});

import { expect, it } from "vitest";
import { createKeptLists, packTexts } from "./kept-lists.ts";
import { expectMadeAgain, expectSharedToLast } from "../../test/support/callers.ts";

const list = (version: string, owner = "one") => ({ owner, key: owner, version });
const page = { offset: 1, size: 2 };

it("a list is made once for all who ask for it, and again for another version", async () => {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 100_000, running: 2 });
  let made = 0;
  const make = async () => packTexts(["a", "bb", "ccc", `made ${++made}`]);
  const asked = await Promise.all([kept.page(list("1"), page, make), kept.page(list("1"), page, make)]);
  expect(asked).toEqual([
    { texts: ["bb", "ccc"], total: 4, isWhole: true },
    { texts: ["bb", "ccc"], total: 4, isWhole: true },
  ]);
  expect((await kept.page(list("1"), { offset: 3, size: 5 }, make)).texts).toEqual(["made 1"]);
  expect((await kept.page(list("2"), { offset: 3, size: 5 }, make)).texts).toEqual(["made 2"]);
  expect((await kept.page(list("2"), { offset: 9, size: 5 }, make)).texts).toEqual([]);
});

it("one list of each owner is made at a time, and no more than may be of all", async () => {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 100_000, running: 2 });
  let running = 0;
  let most = 0;
  const ofOwners = new Map<string, number>();
  const make = (owner: string) => async () => {
    most = Math.max(most, ++running);
    ofOwners.set(owner, (ofOwners.get(owner) ?? 0) + 1);
    expect(ofOwners.get(owner)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    ofOwners.set(owner, 0);
    running -= 1;
    return packTexts([owner]);
  };
  const asks = ["one", "two", "three"].flatMap((owner) =>
    ["1", "2", "3"].map((version) => kept.page(list(version, owner), { offset: 0, size: 1 }, make(owner))),
  );
  expect((await Promise.all(asks)).flatMap(({ texts }) => texts).toSorted()).toEqual(
    ["one", "one", "one", "two", "two", "two", "three", "three", "three"].toSorted(),
  );
  expect(most).toBe(2);
});

it("who asks for too many at once is refused, and asked again it is made", async () => {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 100_000, running: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const make = async () => {
    await promise;
    return packTexts(["text"]);
  };
  const asks = Array.from({ length: 10 }, (_, version) => kept.page(list(String(version)), page, make));
  await expect(asks[9]).rejects.toMatchObject({ code: "unavailable" });
  resolve();
  expect(await Promise.all(asks.slice(0, 9))).toHaveLength(9);
  expect((await kept.page(list("9"), { offset: 0, size: 1 }, make)).texts).toEqual(["text"]);
});

it("what fails is forgotten", async () => {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 100_000, running: 1 });
  await expect(kept.page(list("1"), page, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect((await kept.page(list("1"), { offset: 0, size: 1 }, async () => packTexts(["text"]))).texts).toEqual(["text"]);
});

it("a list that is longer than all that is kept is given all the same", async () => {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 600, running: 1 });
  const long = "x".repeat(1000);
  for (const _ of [1, 2]) {
    expect((await kept.page(list("1"), { offset: 0, size: 1 }, async () => packTexts([long]))).texts).toEqual([long]);
  }
});

it("texts of any script come back as they were, each on its page", async () => {
  const texts = ["plain", "🗝️🇬🇷", "👩‍👩‍👧‍👦", "Ομάδα", "فريق", "e\u0301a\u030A", "\uFEFFmark", "größer", "\u0000", "", "語"];
  // JSON is what lists are made of: it writes halves of a pair as ASCII.
  const json = ["\uD83D", "\uDE00", "a\uDE00\uD83Db", ...texts].map((name) => JSON.stringify({ name }));
  const all = [...texts, ...json];
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 100_000, running: 1 });
  for (const [offset, text] of all.entries()) {
    const found = await kept.page(list("1"), { offset, size: 1 }, async () => packTexts(all));
    expect(found).toEqual({ texts: [text], total: all.length, isWhole: true });
  }
  expect((await kept.page(list("1"), { offset: 2, size: 20 }, () => Promise.reject(new Error()))).texts).toEqual(
    all.slice(2, 22),
  );
});

it("a half of a surrogate pair at an edge changes no other text", async () => {
  const all = ["a\uD83D", "\uDE00b", "c"];
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 100_000, running: 1 });
  const found = await kept.page(list("1"), { offset: 0, size: 3 }, async () => packTexts(all));
  expect(found.texts).toEqual(["a\uFFFD", "\uFFFDb", "c"]);
});

/** Asks one list for its length. */
function askLength() {
  const kept = createKeptLists({ pool: "alikeTags", maxBytes: 10_000, running: 1 });
  return async (make: () => Promise<number>) => {
    const of = { owner: "o", key: "a", version: "1" };
    const made = async () => packTexts(Array.from({ length: await make() }, () => "x"));
    return (await kept.page(of, { offset: 0, size: 1 }, made)).total;
  };
}

it("incident 68: what several wait for goes on without who asked first, and ends with the last of them", () =>
  expectSharedToLast(askLength()));

it("incident 68: what ended with its last caller is made again for the next", () => expectMadeAgain(askLength()));

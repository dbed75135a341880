import { expect, test } from "vitest";
import { keepVersions } from "./kept-versions.ts";
import { expectMadeAgain, expectSharedToLast } from "../../test/support/callers.ts";

const made = (bytes: number) => async () => ({ bytes });

test("what is made of a version is made once, and again for another, which gets what was made before", async () => {
  const kept = keepVersions<{ bytes: number }>({ maxBytes: 100 });
  const [one, other] = await Promise.all([kept.of("a", 1, made(10)), kept.of("a", 1, made(20))]);
  expect(one).toBe(other);
  const next = await kept.of("a", 2, async (previous) => ({ bytes: 1 + (previous?.bytes ?? 0) }));
  expect(next.bytes).toBe(11);
  expect(kept.bytes()).toBe(11);
});

test("a version that will do for another is given for it", async () => {
  const kept = keepVersions<{ bytes: number }>({ maxBytes: 100 });
  const newer = await kept.of("a", 2, made(10));
  const given = await kept.of("a", 1, made(20), (version) => version >= 1);
  expect(given).toBe(newer);
});

test("what could not be made is made again, and takes nothing", async () => {
  const kept = keepVersions<{ bytes: number }>({ maxBytes: 100, entryBytes: 5 });
  await expect(kept.of("a", 1, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(kept.bytes()).toBe(0);
  await kept.of("a", 1, made(10));
  expect(kept.bytes()).toBe(15);
});

test("what was forgotten while it was made stays forgotten", async () => {
  const kept = keepVersions<{ bytes: number }>({ maxBytes: 10, entryBytes: 6 });
  const slow = Promise.withResolvers<{ bytes: number }>();
  const first = kept.of("a", 1, () => slow.promise);
  await kept.of("b", 1, made(1));
  slow.resolve({ bytes: 1 });
  await first;
  expect(kept.bytes()).toBe(7);
});

/** Asks what is kept of one version for its size. */
function askBytes() {
  const kept = keepVersions<{ bytes: number }>({ maxBytes: 100 });
  return async (make: () => Promise<number>) => (await kept.of("a", 1, async () => ({ bytes: await make() }))).bytes;
}

test("incident 68: what several wait for goes on without who asked first, and ends with the last of them", () =>
  expectSharedToLast(askBytes()));

test("incident 68: what ended with its last caller is made again for the next", () => expectMadeAgain(askBytes()));

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

test("where newer versions serve, one is given for an older one", async () => {
  const kept = keepVersions<{ bytes: number }>({ maxBytes: 100, newerServes: true });
  const newer = await kept.of("a", 2, made(10));
  expect(await kept.of("a", 1, made(20))).toBe(newer);
  expect(await kept.of("a", 3, made(20))).toEqual({ bytes: 20 });
});

test.each(["is made", "could not be made"])(
  "where newer versions serve, all who ask for one while another is made wait until it %s, and share the next",
  async (how) => {
    const kept = keepVersions<{ bytes: number }>({ maxBytes: 100, newerServes: true });
    const slow = Promise.withResolvers<{ bytes: number }>();
    const first = kept.of("a", 1, () => slow.promise);
    const makings: (number | undefined)[] = [];
    const next = [2, 5, 3].map((version) =>
      kept.of("a", version, async (previous) => {
        makings.push(previous?.bytes);
        return { bytes: 20 };
      }),
    );
    const isOk = how === "is made";
    const outcome = first.catch((error: unknown) => String(error));
    if (isOk) slow.resolve({ bytes: 10 });
    else slow.reject(new Error("down"));
    expect(await outcome).toEqual(isOk ? { bytes: 10 } : "Error: down");
    const [one, ...others] = await Promise.all(next);
    expect(others).toEqual([one, one]);
    expect(makings).toEqual([isOk ? 10 : undefined]);
    expect(await kept.of("a", 5, made(30))).toBe(one);
  },
);

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

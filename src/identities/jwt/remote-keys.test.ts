import { beforeEach, describe, expect, test } from "vitest";
import { ProviderError } from "../errors.ts";
import { parseKeySet, type KeySet } from "./key-set.ts";
import { createRemoteKeys, type RemoteKeys } from "./remote-keys.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = 1_800_000_000_000;

let now: number;
let attempts: number;
let isDown: boolean;
let troubles: number[];
let remote: RemoteKeys;
/** Promise that the provider awaits before it responds. */
let gate: Promise<undefined> | undefined;

beforeEach(() => {
  now = START;
  attempts = 0;
  isDown = false;
  gate = undefined;
  troubles = [];
  remote = createRemoteKeys({ load, now: () => now, onTrouble: () => troubles.push(now - START) });
});

async function load(): Promise<KeySet> {
  attempts += 1;
  await settled();
  await gate;
  if (isDown) throw new ProviderError("down");
  return parseKeySet({ keys: [] });
}

describe("remote keys", () => {
  test("of ten minutes are fetched again in the background, and the old ones stay until then", async () => {
    const old = await remote.current();
    now += 10 * MINUTE - 1;
    expect(await remote.current()).toBe(old);
    await settled();
    expect(attempts).toBe(1);
    now += 1;
    expect(await Promise.all([remote.current(), remote.current()])).toEqual([old, old]);
    await settled();
    expect(attempts).toBe(2);
    expect(await remote.current()).not.toBe(old);
  });

  test("that cannot be refreshed stay, and are asked for every ten seconds", async () => {
    const old = await remote.current();
    isDown = true;
    for (let second = 0; second < 60; second++) {
      now = START + 10 * MINUTE + second * SECOND;
      expect(await remote.current()).toBe(old);
      await settled();
    }
    expect(attempts).toBe(7);
    expect(remote.isInDoubt()).toBe(true);
    isDown = false;
    now += 10 * SECOND;
    await remote.current();
    await settled();
    expect(remote.isInDoubt()).toBe(false);
  });

  test("of twenty minutes are not used before an attempt to fetch them again", async () => {
    const old = await remote.current();
    now += 20 * MINUTE;
    const [one, two] = await Promise.all([remote.current(), remote.current()]);
    expect(one).not.toBe(old);
    expect(one).toBe(two);
    expect(attempts).toBe(2);
  });

  test("of any age stay while the provider is down, and nobody waits for it again and again", async () => {
    const old = await remote.current();
    isDown = true;
    now += 7 * 24 * 60 * MINUTE;
    expect(await Promise.all([remote.current(), remote.current()])).toEqual([old, old]);
    expect(attempts).toBe(2);
    isDown = false;
    const answer = Promise.withResolvers<undefined>();
    gate = answer.promise;
    for (let second = 0; second < 60; second++) {
      expect(await remote.current()).toBe(old);
      now += SECOND;
    }
    expect(attempts).toBe(3);
    answer.resolve(undefined);
    await settled();
    await settled();
    expect(await remote.current()).not.toBe(old);
  });

  test("of any age stay for a minute after a failure, and then are waited for once more", async () => {
    const old = await remote.current();
    isDown = true;
    now += 60 * MINUTE;
    expect(await remote.current()).toBe(old);
    isDown = false;
    now += MINUTE;
    expect(await remote.current()).not.toBe(old);
  });

  test("of a time when the clock was ahead are not used before an attempt to fetch them again", async () => {
    const old = await remote.current();
    now -= 60 * MINUTE;
    expect(await remote.current()).not.toBe(old);
  });

  test("tell of trouble once a minute", async () => {
    isDown = true;
    for (now = START; now < START + 3 * MINUTE; now += 5 * SECOND) {
      await expect(remote.current()).rejects.toThrow(new ProviderError("down"));
    }
    expect(attempts).toBe(36);
    expect(troubles).toEqual([0, MINUTE, 2 * MINUTE]);
  });

  test("that were never had are asked for once a second", async () => {
    isDown = true;
    await Promise.allSettled([remote.current(), remote.current()]);
    now += SECOND - 1;
    await expect(remote.current()).rejects.toThrow(ProviderError);
    expect(attempts).toBe(1);
    now += 1;
    isDown = false;
    await remote.current();
    expect(attempts).toBe(2);
  });

  test("that somebody else has looked up meanwhile are not looked up again", async () => {
    const old = await remote.current();
    const [one, two] = await Promise.all([remote.newerThan(old), remote.newerThan(old)]);
    expect(one).toBe(two);
    expect(attempts).toBe(2);
    expect(await remote.newerThan(old)).toBe(one);
    expect(await remote.newerThan(await remote.current())).toBeUndefined();
    expect(attempts).toBe(2);
  });

  test("are looked up again after a clock was set back", async () => {
    const old = await remote.current();
    await remote.newerThan(old);
    now -= 60 * MINUTE;
    expect(await remote.newerThan(await remote.current())).toBeDefined();
    expect(attempts).toBeGreaterThan(2);
  });

  test("report a failure that nobody expected like any other", async () => {
    const broken = createRemoteKeys({
      load: () => Promise.reject(new TypeError("secret")),
      now: () => now,
      onTrouble: (message) => {
        expect(message).not.toContain("secret");
        troubles.push(now);
      },
    });
    await expect(broken.current()).rejects.toThrow(new ProviderError("unexpected failure"));
    expect(troubles.length).toBe(1);
  });
});

/** Everything that needs no time has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

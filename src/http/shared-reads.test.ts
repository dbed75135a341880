import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSharedReads } from "./shared-reads.ts";

/** What takes some turns to read, and counts how often it is read. */
function source() {
  const made = { times: 0, atOnce: 0, most: 0 };
  const make = async (): Promise<number> => {
    made.times += 1;
    const mine = made.times;
    made.most = Math.max(made.most, (made.atOnce += 1));
    await sleep(20);
    made.atOnce -= 1;
    return mine;
  };
  return { made, make };
}

describe("readings where all commits are known", () => {
  test("are shared with all who ask before the next commit, and with nobody who asks after it", async () => {
    let commits = 0;
    const read = createSharedReads({ commits: () => commits });
    const { made, make } = source();
    const before = [read("k", make), read("k", make)];
    await sleep(5);
    before.push(read("k", make));
    const others = read("j", make);
    commits += 1;
    const after = [read("k", make), read("k", make)];
    expect(await Promise.all(before)).toEqual(["1", "1", "1"]);
    expect(await Promise.all([others, ...after])).toEqual(["2", "3", "3"]);
    // Whoever was held up while it was made is heard in the next turn.
    expect(await read("k", make)).toBe("3");
    await sleep(5);
    expect(await read("k", make)).toBe("4");
    expect(made.times).toBe(4);
  });

  test("that fail, fail for all who share them, and are made anew for the next", async () => {
    const read = createSharedReads({ commits: () => 0 });
    const refuse = (): Promise<never> => sleep(1).then(() => Promise.reject(new Error("refused")));
    const all = await Promise.allSettled([read("k", refuse), read("k", refuse)]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await sleep(5);
    expect(await read("k", () => "made")).toBe('"made"');
  });
});

describe("readings where others may commit", () => {
  test("are shared with all who ask before they begin; those who come later share the one after it", async () => {
    const read = createSharedReads({ commits: () => undefined });
    const { made, make } = source();
    const gate = Promise.withResolvers<void>();
    const gated = (): Promise<number> => gate.promise.then(make);
    const first = [read("k", gated), read("k", gated)];
    await setImmediate();
    await setImmediate();
    const second: Promise<string | Buffer>[] = [];
    for (let asked = 0; asked < 10; asked++) {
      second.push(read("k", gated));
      await setImmediate();
    }
    gate.resolve();
    expect(await Promise.all(first)).toEqual(["1", "1"]);
    expect(await Promise.all(second)).toEqual(second.map(() => "2"));
    expect(made).toMatchObject({ times: 2, most: 1 });
  });
});

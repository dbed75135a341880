import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Bytes, Pieces, ListPlaceAfter } from "./pieces.ts";
import { MAX_SHARED_BYTES } from "../../reads/shared-answers.ts";
import { createSharedLists, type OpenList } from "./shared-lists.ts";

/** A list of numbered pieces, which counts how often it is begun, and how many of its pieces are made. */
function source(count: number, length = 10, breakAt = Infinity) {
  const made = { begun: [] as (ListPlaceAfter | undefined)[], pieces: 0, ended: 0 };
  async function* pieces(from: ListPlaceAfter | undefined): Pieces {
    try {
      for (let index = from?.count ?? 0; index < count; index++) {
        await setImmediate();
        if (index >= breakAt) throw new Error("broken");
        made.pieces += 1;
        yield { bytes: Buffer.from(`${index}`.padEnd(length)), end: { after: String(index), count: index + 1 } };
      }
    } finally {
      made.ended += 1;
    }
  }
  const open: OpenList = async (from) => {
    made.begun.push(from);
    await setImmediate();
    return { headers: { begun: String(made.begun.length) }, pieces: pieces(from) };
  };
  return { made, open };
}

async function numbers(bytes: Bytes): Promise<number[]> {
  const found: number[] = [];
  for await (const piece of bytes) found.push(Number(piece.toString()));
  return found;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("a list that many ask for", () => {
  test("is made once, for those too who come while it is made, and given to all from its beginning", async () => {
    const lists = createSharedLists();
    const { made, open } = source(50);
    const whole: string[] = [];
    const keep = (body: Buffer): void => void whole.push(body.toString());
    const early = await Promise.all(upTo(10).map(() => lists.read("name", open, keep)));
    const first = early[0]?.bytes.next();
    await first;
    const late = await lists.read("name", open, keep);
    const all = await Promise.all([...early.slice(1), late].map(({ bytes }) => numbers(bytes)));
    expect(all).toEqual(all.map(() => upTo(50)));
    expect(made).toMatchObject({ begun: [undefined], pieces: 50 });
    expect(late.headers).toEqual({ begun: "1" });
    expect(whole.map((text) => text.split(/\s+/).length - 1)).toEqual([50]);
  });

  test("is another one under another name, and after it has been made", async () => {
    const lists = createSharedLists();
    const { made, open } = source(3);
    await Promise.all(["a", "b"].map(async (name) => numbers((await lists.read(name, open)).bytes)));
    expect(made.begun.length).toBe(2);
    await expect.poll(() => lists.stats()).toEqual({ lists: 0, bytes: 0 });
    expect(await numbers((await lists.read("a", open)).bytes)).toEqual([0, 1, 2]);
    expect(made.begun.length).toBe(3);
    await expect.poll(() => lists.stats()).toEqual({ lists: 0, bytes: 0 });
  });

  test("goes on when the one who asked first has gone, and ends when all have", async () => {
    const lists = createSharedLists();
    const { made, open } = source(20);
    const first = await lists.read("name", open);
    await first.bytes.next();
    const second = await lists.read("name", open);
    await first.bytes.return();
    expect(await numbers(second.bytes)).toEqual(upTo(20));
    expect(made).toMatchObject({ begun: [undefined], pieces: 20 });
    const third = await lists.read("other", open);
    await third.bytes.next();
    await third.bytes.return();
    await expect.poll(() => made).toMatchObject({ pieces: 21, ended: 2 });
    await expect.poll(() => lists.stats()).toEqual({ lists: 0, bytes: 0 });
  });

  test("does not wait for a slow reader, who goes on by itself when too much would have to be remembered", async () => {
    const lists = createSharedLists();
    const length = MAX_SHARED_BYTES / 8;
    const { made, open } = source(30, length);
    const slow = await lists.read("name", open);
    const fast = await lists.read("name", open);
    const [begun] = await Promise.all([slow.bytes.next(), fast.bytes.next()]);
    expect(Number(String(begun.value))).toBe(0);
    let most = 0;
    const seen: number[] = [];
    for await (const piece of fast.bytes) {
      seen.push(Number(piece.toString()));
      most = Math.max(most, lists.stats().bytes);
    }
    expect(seen).toEqual(upTo(30).slice(1));
    expect(most).toBeLessThanOrEqual(MAX_SHARED_BYTES);
    expect(await numbers(slow.bytes)).toEqual(upTo(30).slice(1));
    expect(made.begun).toEqual([undefined, { after: "0", count: 1 }]);
  });

  test("that is long is remembered only as far as somebody may still come to it", async () => {
    const lists = createSharedLists();
    const { open } = source(30, MAX_SHARED_BYTES / 8);
    const { bytes } = await lists.read("name", open, () => expect.unreachable());
    for (let taken = 0; taken < 9; taken++) await bytes.next();
    expect(lists.stats()).toEqual({ lists: 0, bytes: MAX_SHARED_BYTES / 8 });
    expect(await numbers(bytes)).toEqual(upTo(30).slice(9));
  });

  test("all together take bounded memory", async () => {
    const lists = createSharedLists();
    const { open } = source(8, MAX_SHARED_BYTES / 8);
    const readers = await Promise.all(upTo(10).map((index) => lists.read(String(index), open)));
    for (let taken = 0; taken < 8; taken++) {
      await Promise.all(readers.map(({ bytes }) => bytes.next()));
      expect(lists.stats().bytes).toBeLessThanOrEqual(4 * MAX_SHARED_BYTES + (10 * MAX_SHARED_BYTES) / 8);
    }
  });

  test("that breaks off for the one who makes it is made anew by the others, from where they are", async () => {
    const lists = createSharedLists();
    const broken = source(20, 10, 5);
    const sound = source(20);
    const first = await lists.read("name", broken.open, () => expect.unreachable());
    const second = await lists.read("name", sound.open, () => expect.unreachable());
    const [mine, other] = await Promise.allSettled([numbers(first.bytes), numbers(second.bytes)]);
    expect(mine).toMatchObject({ status: "rejected", reason: { message: "broken" } });
    expect(other).toEqual({ status: "fulfilled", value: upTo(20) });
    expect(sound.made.begun).toEqual([{ after: "4", count: 5 }]);
  });

  test("that is refused is refused to each in its own words", async () => {
    const lists = createSharedLists();
    const refusals = await Promise.allSettled(
      ["first", "second"].map((name) => lists.read("name", () => Promise.reject(new Error(name)))),
    );
    expect(refusals.map((each) => each.status === "rejected" && (each.reason as Error).message)).toEqual([
      "first",
      "second",
    ]);
    await expect.poll(() => lists.stats()).toEqual({ lists: 0, bytes: 0 });
  });
});

import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { listTurns } from "../../../list-work.ts";
import { streamList } from "../../sending/streamed-lists.ts";
import { joinTexts, renderPieces } from "./pieces.ts";

const RENDERING = { textOf: (text: string) => JSON.stringify(text), keyOf: (text: string) => text, isPretty: false };
/** Each is a piece by itself. */
const LONG = ["a", "b", "c"].map((letter) => letter.repeat(40_000));

/** Resolves when the lists have used up their part of this round of the event loop. */
function spendRound(): void {
  while (!listTurns.isSpent());
}

/**
 * Whether work waits for the next round, where this round's part is used up.
 *
 * @param begin begins it, and calls `done` when it is done
 */
async function waits(begin: (done: () => void) => unknown): Promise<boolean> {
  await nextRound();
  spendRound();
  let isDone = false;
  const ended = new Promise<void>((resolve) => {
    begin(() => {
      isDone = true;
      resolve();
    });
  });
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  const isWaiting = !isDone;
  await ended;
  return isWaiting;
}

async function* slicesOf<T>(...slices: T[]): AsyncGenerator<T, void, number> {
  yield* slices;
}

test("incident 70: pieces of a list's text are part of the share that lists have of each round", async () => {
  const rendered = renderPieces(slicesOf<readonly string[]>(LONG), RENDERING);
  await rendered.next();
  expect(
    await waits(async (done) => {
      await rendered.next();
      done();
    }),
  ).toBe(true);
  const slice = LONG.map((text) => ({ bytes: new TextEncoder().encode(text), count: 1, last: text }));
  const joined = joinTexts(slicesOf(slice), false);
  await joined.next();
  expect(
    await waits(async (done) => {
      await joined.next();
      done();
    }),
  ).toBe(true);
});

test("incident 70: parts of a list that is made while it is sent are part of that share", async () => {
  const isWaiting = await waits((done) => {
    const parts = (async function* (): AsyncGenerator<string, void> {
      done();
      yield "a";
    })();
    const request = { caller: undefined } as unknown as Parameters<typeof streamList>[0];
    streamList(request, parts).read(0);
  });
  expect(isWaiting).toBe(true);
});

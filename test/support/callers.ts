/** Callers for tests of what is done for them. */
import { expect } from "vitest";
import { type WorkCaller, CallerGone, throwIfGone, workFor } from "../../src/callers.ts";

/** Somebody with a share of the server, who can be made to go. */
export function somebody(name = "t", group = "default/default"): WorkCaller & { go(): void } {
  const ending = new AbortController();
  return {
    isGone: () => ending.signal.aborted,
    gone: ending.signal,
    owner: { name, group },
    go: () => ending.abort(new CallerGone()),
  };
}

/** Asks for a number that is kept under one key and version. @param make makes it, where nobody has */
type AskKept = (make: () => Promise<number>) => Promise<number>;

/** Incident 68: what several wait for goes on without who asked first. @param kept asks what nothing was asked of before */
export async function expectSharedToLast(kept: AskKept): Promise<void> {
  const ask = (caller: WorkCaller, make: () => Promise<number>) => workFor(caller, () => kept(make));
  const [first, second, third] = [somebody(), somebody(), somebody()];
  const making = Promise.withResolvers<void>();
  const make = async () => {
    await making.promise;
    throwIfGone();
    return 7;
  };
  const shared = [ask(first, make), ask(second, make)];
  first.go();
  making.resolve();
  expect(await Promise.all(shared)).toEqual([7, 7]);
  expect(await ask(third, () => Promise.reject(new Error("made already")))).toBe(7);
}

/** Incident 68: what ended with its last caller is made again for the next. @param kept as above */
export async function expectMadeAgain(kept: AskKept): Promise<void> {
  const ask = (caller: WorkCaller, make: () => Promise<number>) => workFor(caller, () => kept(make));
  const [first, next] = [somebody(), somebody()];
  const making = Promise.withResolvers<void>();
  const ended = ask(first, async () => {
    await making.promise;
    throwIfGone();
    return 7;
  });
  const end = ended.catch((error: unknown) => error);
  first.go();
  const again = ask(next, () => Promise.resolve(8));
  making.resolve();
  expect(await again).toBe(8);
  expect(await end).toBeInstanceOf(CallerGone);
  expect(await ask(next, () => Promise.reject(new Error("made already")))).toBe(8);
}

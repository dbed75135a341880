import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import { MANAGEMENT, type V1 } from "./v1.ts";

/** Long enough for whatever wakes a waiter by mistake. */
export const QUIET_MS = 150;

/**
 * The longest that can be asked for, and longer than any test may take: a read that is not woken is never answered
 * within its test. After a shorter wait it would show the news all the same.
 */
export const FOREVER = "10m";

/** How long a change may take to wake a waiter before the wake counts as missed, in milliseconds; for what hangs. */
const MISSED_MS = 40_000;

export interface Wait {
  /** Rejects when nothing woke it, unless the test chose itself how long it waits. */
  answer: Promise<Answer>;
  /** Whether it has been answered. */
  isOver(): boolean;
}

/**
 * An answer that only a wake can bring.
 *
 * @param what names the read in the error
 * @throws Error when it has not come after 40 s, which says so sooner than the limit of the test does
 */
export async function woken<T>(answer: Promise<T>, what: string): Promise<T> {
  const missed = new AbortController();
  const limit = sleep(MISSED_MS, undefined, { signal: missed.signal, ref: false }).then(() => {
    throw new Error(`${what} waits for ${FOREVER} and was not woken`);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    limit.catch(() => undefined);
    missed.abort();
  }
}

/** Blocking reads, begun and left waiting. */
export function createWaits(v1: V1) {
  /** How many of those begun here have not been answered. */
  let open = 0;

  async function indexOf(path: string, token?: string): Promise<number> {
    const { headers } = await v1.get(path, token);
    expect(headers["x-consul-index"]).toBe(headers["x-service-index"]);
    return Number(headers["x-service-index"]);
  }

  /**
   * Asks for news since an index; the present one unless said otherwise. Returns when the read waits or is answered.
   * A time to wait is given only where the test is about its end.
   */
  async function wait(
    path: string,
    options: { since?: number | string; wait?: string; token?: string } = {},
  ): Promise<Wait> {
    const since = options.since ?? (await indexOf(path, options.token));
    let over = false;
    const query = `index=${since}&wait=${options.wait ?? FOREVER}`;
    open += 1;
    const asked = v1.get(`${path}${path.includes("?") ? "&" : "?"}${query}`, options.token).finally(() => {
      over = true;
      open -= 1;
    });
    while (!over && (await waiting()) < open) await sleep(5);
    const answer = options.wait === undefined ? woken(asked, path) : asked;
    // A test that fails before it looks at the answer has failed already.
    answer.catch(() => undefined);
    return { answer, isOver: () => over };
  }

  /**
   * Does something that must wake none of those who wait here already. A read of what does change, begun behind them, is
   * woken by it and answered before this returns: so they have been looked at, and would have been answered with the
   * state of before.
   */
  async function passing<T>(path: string, act: () => Promise<T>, token?: string): Promise<T> {
    const behind = await wait(path, token === undefined ? {} : { token });
    const result = await act();
    await woken(behind.answer, path);
    return result;
  }

  /** How many requests wait now. */
  async function waiting(): Promise<number> {
    const headers = { "x-service-token": MANAGEMENT };
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers });
    return Number(/^tessera_waiting_requests (\d+)$/m.exec(text)?.[1]);
  }

  return { indexOf, wait, passing, waiting };
}

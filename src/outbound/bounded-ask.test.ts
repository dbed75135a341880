import { expect, test } from "vitest";
import { somebody } from "../../test/support/callers.ts";
import { workFor } from "../callers.ts";
import { boundedAsk } from "./lookups.ts";
import { OutboundError, type Ask } from "./outbound.ts";

const REQUEST = { method: "GET", url: "https://provider.example" } as const;
const ANSWER = { status: 200, headers: {}, body: "" };

/** Requests that end when they are told to. */
function held(): { ask: Ask; ends: ((error?: Error) => void)[] } {
  const ends: ((error?: Error) => void)[] = [];
  const ask: Ask = () =>
    new Promise((resolve, reject) => ends.push((error) => (error === undefined ? resolve(ANSWER) : reject(error))));
  return { ask, ends };
}

test("so many requests are under way, others wait their turn, and more are refused", async () => {
  const { ask, ends } = held();
  const bounded = boundedAsk(ask, { running: 2, waiting: 2, milliseconds: 60_000 });
  const asked = Array.from({ length: 4 }, () => bounded(REQUEST));
  await expect(bounded(REQUEST)).rejects.toThrow(OutboundError);
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await asked[0];
  await expect.poll(() => ends).toHaveLength(3);
  // One that fails makes room as well.
  ends[1]?.(new OutboundError("gone"));
  await expect(asked[1]).rejects.toThrow("gone");
  await expect.poll(() => ends).toHaveLength(4);
  for (const end of ends) end();
  expect(await Promise.all(asked.slice(2))).toEqual([ANSWER, ANSWER]);
  const last = bounded(REQUEST);
  await expect.poll(() => ends).toHaveLength(5);
  ends[4]?.();
  expect(await last).toEqual(ANSWER);
});

test("nobody waits for ever", async () => {
  const { ask, ends } = held();
  const bounded = boundedAsk(ask, { running: 1, waiting: 5, milliseconds: 20 });
  const first = bounded(REQUEST);
  await expect(bounded(REQUEST)).rejects.toThrow("timed out behind other requests to this server after 0.02 s");
  ends[0]?.();
  expect(await first).toEqual(ANSWER);
});

test("incident 69: whoever has one request waits behind one of each other caller, not behind all of them", async () => {
  const { ask, ends } = held();
  const bounded = boundedAsk(ask, { running: 1, waiting: 10, milliseconds: 60_000 });
  const many = somebody("many");
  const asked = Array.from({ length: 5 }, () => workFor(many, () => bounded(REQUEST)));
  let isAnswered = false;
  const one = workFor(somebody("one"), () => bounded(REQUEST)).then(() => (isAnswered = true));
  for (let at = 0; at < 6; at++) {
    await expect.poll(() => ends).toHaveLength(at + 1);
    ends[at]?.();
    // The first was under way and the second waited before.
    if (at === 2) await expect.poll(() => isAnswered).toBe(true);
  }
  await Promise.all([...asked, one]);
});

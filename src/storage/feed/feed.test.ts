import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFeedHub, eventsOf, type FeedEvent, type FeedHub } from "./feed.ts";

interface Started {
  hub: FeedHub;
  /** Ends of the waits for durability that were asked for. */
  waits: ((error?: Error) => void)[];
  committed: FeedEvent[];
  durable: FeedEvent[];
  setAge: (seconds: number | undefined) => void;
}

function start(): Started {
  const waits: Started["waits"] = [];
  const [committed, durable]: FeedEvent[][] = [[], []];
  let age: number | undefined;
  const hub = createFeedHub({
    whenDurable: (done) => waits.push(done),
    pollAgeSeconds: () => age,
    publishedUpTo: undefined,
    onWarning: () => undefined,
  });
  hub.feed.subscribe({
    onCommitted: (event) => committed?.push(event),
    onDurable: (event) => durable?.push(event),
  });
  return { hub, waits, committed: committed ?? [], durable: durable ?? [], setAge: (seconds) => (age = seconds) };
}

const event = (index: number) =>
  eventsOf({ partition: "p", index, changes: [{ table: "t", namespace: "n", partition: "p", key: "k" }] });

test("caches are told at once, watchers when the changes of the turn are durable, by one wait", async () => {
  const { hub, waits, committed, durable } = start();
  hub.publish(event(1));
  hub.publish(event(2));
  expect(committed).toEqual([...event(1), ...event(2)]);
  await nextTurn();
  expect(waits.length).toBe(1);
  hub.publish(event(3));
  await nextTurn();
  expect(durable).toEqual([]);
  waits[0]?.();
  expect(durable).toEqual([...event(1), ...event(2)]);
  waits[1]?.();
  expect(durable).toEqual([...event(1), ...event(2), ...event(3)]);
});

test("watchers are never told of what could not be made durable", async () => {
  const { hub, waits, durable } = start();
  hub.publish(event(1));
  await nextTurn();
  waits[0]?.(new Error("the disk has failed"));
  expect(durable).toEqual([]);
});

test("the feed is trusted while what it knows is younger than a second, and always where nothing is polled", () => {
  const { hub, setAge } = start();
  expect(hub.feed.isTrusted()).toBe(true);
  for (const [age, trusted] of [
    [0, true],
    [0.999, true],
    [1, false],
    [Infinity, false],
  ] as const) {
    setAge(age);
    expect(hub.feed.isTrusted()).toBe(trusted);
  }
});

/** A page that knows the last event before its first read goes on behind it, and reads nothing again. */
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { follow, sourcesOf, type Source } from "../../console/src/live/follow.ts";
import type { LiveEvent } from "../../console/src/live/topics.ts";

const ADDRESS = "http://console.test";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answers each stream in turn; the last answer stays open. @returns what the sources ask for and tell */
function following(source: Source, answers: readonly (() => Response)[]) {
  const asked: (string | null)[] = [];
  const told: LiveEvent[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get("last-event-id"));
    const answer = answers[asked.length - 1];
    return answer === undefined ? new Promise<Response>(() => undefined) : answer();
  });
  void follow({
    address: ADDRESS,
    source,
    tell: (event) => told.push(event),
    state: () => undefined,
    signal: end.signal,
  });
  return { asked, told };
}

/** A stream that begins with these blocks and stays open. */
function stream(...blocks: readonly string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const block of blocks) controller.enqueue(new TextEncoder().encode(`${block}\n\n`));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const CHANGE = 'event: roles\ndata: {"Topic":"roles","Key":"r","Index":8}\nid: 8';
const ROLES = { family: "v1", place: "default", namespace: "default", topic: "roles" };
const ALL = { family: "v1", place: "default", namespace: "*", topic: "*" };

const ofPartition = (after?: { Partition?: string; Organization?: string }) =>
  sourcesOf({ kind: "follow", address: ADDRESS, partition: "default", organization: "acme", ...(after && { after }) });

it("goes on behind the event that it is given, and is told of that alone which came later", async () => {
  const [source] = ofPartition({ Partition: "7" });
  const { asked, told } = following(source as Source, [() => stream("id: 7", CHANGE)]);
  await expect.poll(() => told).toEqual([ROLES]);
  expect(asked).toEqual(["7"]);
});

it("is told that anything may have changed where the event is not known, or not kept any more", async () => {
  const [unknown] = ofPartition();
  const first = following(unknown as Source, [() => stream("id: 7", CHANGE)]);
  await expect.poll(() => first.told).toEqual([ALL, ROLES]);
  const [known] = ofPartition({ Partition: "7" });
  const gone = () => new Response("Events after 7 have expired", { status: 410 });
  const second = following(known as Source, [gone, () => stream("id: 9", CHANGE)]);
  await expect.poll(() => second.told).toEqual([ALL, ROLES]);
  expect(second.asked).toEqual(["7", null]);
});

it("has one such event for the partition and one for the organization", () => {
  expect(ofPartition({ Partition: "7", Organization: "9" }).map(({ after }) => after)).toEqual(["7", "9"]);
  expect(ofPartition().map(({ after }) => after)).toEqual([undefined, undefined]);
});

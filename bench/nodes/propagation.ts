/** Time that a write on one node takes to reach a client that waits on another node. */
import { setTimeout as sleep } from "node:timers/promises";
import { withCluster, type Node } from "./cluster.ts";
import { percentile, renderPlain } from "./table.ts";
import { Waiter, type TimedAnswer } from "./waiter.ts";
import { call } from "../seed.ts";

const GOAL_MS = 20;
/** A poll takes up to a quarter of a second, a notification some milliseconds. */
const WRITES = { notify: 300, poll: 50 };
const UNCOUNTED = 20;
/** Seconds from which on the benchmark makes all writes. */
const FULL_SECONDS = 1.5;
const HEADER = ["feed", "waiters", "writes", "from", "which answers", "p50 ms", "p99 ms", "max ms", "goal", ""];

/** Times of one write: its request and response, and the start of each waiter's response. */
interface Round {
  readonly write: TimedAnswer;
  readonly answers: readonly TimedAnswer[];
}

/** @param seconds scales the number of writes, 1.5 gives all of them. @returns a table */
export async function benchPropagation(seconds: number): Promise<string> {
  const lines: (string | number)[][] = [];
  for (const feed of ["notify", "poll"] as const) {
    await withCluster(false, async ({ startNode }) => {
      const a = await startNode(["--feed", feed]);
      const b = await startNode(["--feed", feed]);
      for (const waiters of [1, 100]) {
        const writes = Math.max(10, Math.round(WRITES[feed] * Math.min(1, seconds / FULL_SECONDS)));
        lines.push(...describe(feed, waiters, await measure(a, b, waiters, writes)));
      }
    });
  }
  return renderPlain({
    title: "propagation: a policy is written on node A, clients on node B wait for it",
    header: HEADER,
    lines,
    notes: [
      "Nodes are not pinned; this process writes and waits. One write at a time, at a random distance from the one before.",
      "From sending: until the first byte of the waiter's answer. From the answer: the same, less what A took to answer;",
      "below 0 the waiter was told first. The last of 100: the slowest waiter of each write.",
    ],
  });
}

async function measure(a: Node, b: Node, count: number, writes: number): Promise<Round[]> {
  const Name = `watched-by-${count}`;
  const { ID } = (await call(a, "PUT", "/v1/acl/policy", { Name })) as { ID: string };
  const path = `/v1/acl/policy/${ID}`;
  const writer = await Waiter.open(a);
  const waiters = await Promise.all(Array.from({ length: count }, async () => Waiter.open(b)));
  const rounds: Round[] = [];
  let index = await indexOnceSeen(b, path);
  for (let round = -UNCOUNTED; round < writes; round += 1) {
    const asked = waiters.map(async (waiter) => waiter.ask("GET", `${path}?index=${index}&wait=9m`));
    const answered = Promise.all(asked);
    await untilWaiting(b, count);
    const body = JSON.stringify({ Name, Description: `round ${round}` });
    const [write, answers] = await Promise.all([writer.ask("PUT", `/v1/acl/policy/${ID}`, body), answered]);
    refuseWrong(write, answers, index);
    index = Math.max(...answers.map((answer) => answer.index));
    // The first rounds run code that has not been optimised yet.
    if (round >= 0) rounds.push({ write, answers });
  }
  for (const waiter of [writer, ...waiters]) waiter.close();
  return rounds;
}

/** An answer that did not wait, or a refusal, would make a fine number. */
function refuseWrong(write: TimedAnswer, answers: readonly TimedAnswer[], index: number): void {
  const wrong = answers.find((answer) => answer.status !== 200 || !(answer.index > index) || answer.began < write.sent);
  if (write.status !== 200 || wrong !== undefined) {
    throw new Error(`a wrong answer: ${JSON.stringify({ write, wrong, index })}`);
  }
}

/** The index of the policy on B, which may not have heard of it yet. */
async function indexOnceSeen(b: Node, path: string): Promise<number> {
  for (;;) {
    const answer = await fetch(`${b.url}${path}`, { headers: { "x-consul-token": b.token } });
    await answer.arrayBuffer();
    if (answer.ok) return Number(answer.headers.get("x-consul-index"));
    await sleep(10);
  }
}

async function untilWaiting(b: Node, count: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${b.url}/metrics`, { headers: { "x-consul-token": b.token } });
    const waiting = Number(/^tessera_waiting_requests (\d+)$/m.exec(await answer.text())?.[1]);
    if (waiting >= count) break;
    await sleep(2);
  }
  // The looks of the last ones are still under way; and polls must not be met at a fixed distance.
  await sleep(10 + Math.random() * 20);
}

function describe(feed: "notify" | "poll", waiters: number, rounds: readonly Round[]): (string | number)[][] {
  const each = (since: (write: TimedAnswer) => number): number[] =>
    rounds.flatMap(({ write, answers }) => answers.map((answer) => answer.began - since(write)));
  const last = (since: (write: TimedAnswer) => number): number[] =>
    rounds.map(({ write, answers }) => Math.max(...answers.map((answer) => answer.began)) - since(write));
  const line = (from: string, which: string, times: readonly number[]): (string | number)[] => {
    const p99 = percentile(times, 99);
    const goal = feed === "notify" ? [`p99 ≤ ${GOAL_MS} ms`, p99 <= GOAL_MS ? "ok" : "MISSED"] : ["", ""];
    return [feed, waiters, rounds.length, from, which, percentile(times, 50), p99, Math.max(...times), ...goal];
  };
  const sent = (write: TimedAnswer): number => write.sent;
  const answered = (write: TimedAnswer): number => write.began;
  return [
    line("sending", "all", each(sent)),
    line("answer of A", "all", each(answered)),
    ...(waiters > 1 ? [line("sending", `last of ${waiters}`, last(sent))] : []),
  ];
}

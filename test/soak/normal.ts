/** Clients that do nothing wrong, at a steady rate: what they are answered must be right and in time. */
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../history/random.ts";
import { Latencies } from "./latencies.ts";
import { ACTIONS, type Ask } from "./normal-actions.ts";
import { sender, type Sender } from "./sender.ts";
import type { Target } from "./target.ts";

const CLIENTS = 16;
const WAITERS = 4;
/** Some 200 requests a second: an action makes 1.6 of them on average. */
const ACTIONS_PER_SECOND = 125;
const WAIT_PATHS = ["/v1/acl/policies", "/v1/acl/tokens", "/v1/acl/binding-rules", "/v1/acl/token/self"];
/** Number of faults that are reported. */
const TOLD = 10;

/** Results of normal clients. */
export interface Normal {
  readonly latencies: Latencies;
  /** Answers to requests that waited for news. */
  waits: number;
  wrong: number;
  /** The first things that were wrong. */
  readonly told: string[];
}

/** Runs them until `until` (of `performance.now()`). */
export async function runNormal(target: Target, seed: number, until: number): Promise<Normal> {
  const normal: Normal = { latencies: new Latencies(), waits: 0, wrong: 0, told: [] };
  const clients = Array.from({ length: CLIENTS }, (_, number) =>
    act(normal, target, createRandom(seed + number), until),
  );
  const waiters = Array.from({ length: WAITERS }, (_, number) => wait(normal, target, WAIT_PATHS[number] ?? "", until));
  await Promise.all([...clients, ...waiters]);
  return normal;
}

/** One client with one connection: it begins something at each beat, as soon as what it did before is over. */
async function act(normal: Normal, target: Target, random: Random, until: number): Promise<void> {
  const client = sender(target.url, target.management, 1);
  const beat = (CLIENTS * 1000) / ACTIONS_PER_SECOND;
  let due = performance.now() + beat * (random.below(1000) / 1000);
  for (; due < until; due += beat) {
    const ahead = due - performance.now();
    if (ahead > 0) await sleep(ahead);
    // A client that starts late, since the server was still answering, has waited since the due time.
    const begin = ahead > 0 ? performance.now() : due;
    await attempt(normal, () => choose(random).act({ target, random, ask: asker(client, normal.latencies, begin) }));
  }
  client.close();
}

function choose(random: Random): (typeof ACTIONS)[number] {
  let left = random.below(ACTIONS.reduce((sum, { weight }) => sum + weight, 0));
  for (const action of ACTIONS) {
    left -= action.weight;
    if (left < 0) return action;
  }
  throw new Error("the weights do not add up");
}

function asker(client: Sender, latencies: Latencies, begin: number): Ask {
  let from = begin;
  return async (kind, status, method, path, details) => {
    const answer = await client.send(method, path, details);
    const now = performance.now();
    latencies.note(kind, from, now);
    from = now;
    if (answer.status !== status)
      throw new Error(`${kind}: ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`);
    return answer;
  };
}

/** One that waits for news of a list, again and again. */
async function wait(normal: Normal, target: Target, path: string, until: number): Promise<void> {
  const client = sender(target.url, target.reader, 1);
  let index = "1";
  while (performance.now() < until) {
    await attempt(normal, async () => {
      const { status, text, headers } = await client.send("GET", `${path}?index=${index}&wait=2s`);
      if (status !== 200) throw new Error(`wait for ${path}: ${status} ${text.slice(0, 200)}`);
      const next = String(headers["x-consul-index"]);
      if (BigInt(next) < BigInt(index)) throw new Error(`wait for ${path}: the index went from ${index} to ${next}`);
      index = next;
      normal.waits += 1;
    });
    // Clients that keep a copy read it again this often.
    await sleep(500);
  }
  client.close();
}

async function attempt(normal: Normal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    normal.wrong += 1;
    if (normal.told.length < TOLD) normal.told.push((error as Error).message);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient, type Answer, type Ask, type Reply } from "./http-client.ts";
import type { Operation } from "./history.ts";
import type { Random } from "./random.ts";
import { outcomeOf, type Complete, type Recorder } from "./recorder.ts";

/** One client of the run. It asks one thing at a time, mostly of the same node, and goes to another when that fails. */
export interface Caller {
  readonly client: number;
  readonly random: Random;
  readonly recorder: Recorder;
  /** Sends what is to be recorded. */
  perform(operation: Operation, asked: Asked, complete?: Complete, refused?: Complete): Promise<Reply>;
  /** Sends what no check looks at. */
  ask(asked: Asked): Promise<Reply>;
  close(): void;
}

export interface Asked {
  readonly method: Ask["method"];
  readonly path: string;
  readonly body?: unknown;
  /** The management token unless given; empty for none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's present node unless given; an answer of another says nothing about that. */
  readonly node?: number;
  /** Six seconds unless given. */
  readonly milliseconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Addresses of the servers, and a token. */
export interface Targets {
  /** By the node's number; an address may change when its node is started again. */
  readonly urls: readonly string[];
  /** SecretID of a management token. */
  readonly token: string;
}

const ANSWER_MS = 6000;
/** A pause after a failure: impatient, but no busy loop. */
const PAUSE_MS = 40;
/** How often a client leaves its node without a reason, and when a request failed. */
const WANDERS = 0.02;
const LEAVES = 0.7;

/** Makes a client that begins at the node of its number. */
export function createCaller(client: number, targets: Targets, recorder: Recorder, random: Random): Caller {
  const http = createHttpClient();
  let home = client % targets.urls.length;

  function prepare({ token = targets.token, node = home, milliseconds = ANSWER_MS, ...rest }: Asked) {
    return { http, client, node, url: targets.urls[node] ?? "", ask: { ...rest, token, milliseconds } };
  }

  async function settle(reply: Reply, { node, token }: Asked): Promise<Reply> {
    if (isForbidden(reply) && token === undefined) {
      recorder.contradict(`client ${client} at ${recorder.now().toFixed(0)} ms: the management token was refused`);
    }
    const failed = reply === "unreached" || outcomeOf(reply) === "unknown" || isAway(reply);
    if (node === undefined && random.chance(failed ? LEAVES : WANDERS)) home = random.below(targets.urls.length);
    if (failed) await sleep(PAUSE_MS);
    return reply;
  }

  return {
    client,
    random,
    recorder,
    async perform(operation, asked, complete, refused) {
      const reply = await recorder.perform({ ...prepare(asked), operation }, complete, refused);
      return settle(reply, asked);
    },
    async ask(asked) {
      return settle(await recorder.ask(prepare(asked)), asked);
    },
    close: () => http.close(),
  };
}

function isAway(reply: Reply): boolean {
  return typeof reply !== "string" && reply.status === 503;
}

function isForbidden(reply: Reply): boolean {
  return typeof reply !== "string" && [401, 403].includes(reply.status);
}

/** Something that a client does again and again. */
export interface Action {
  /** How often, in comparison with the others. */
  readonly weight: number;
  run(): Promise<void>;
}

/** The body of an answer, taken for what the caller knows it to be. */
export function bodyOf<T>(answer: Answer): T {
  return JSON.parse(answer.text) as T;
}

/** The answer when it was a 2xx one. */
export function doneAnswer(reply: Reply): Answer | undefined {
  return typeof reply !== "string" && outcomeOf(reply) === "done" ? reply : undefined;
}

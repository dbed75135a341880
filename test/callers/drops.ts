/** Clients that go while their requests are worked on, at each pause in turn. */
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { FastifyRequest, InjectOptions } from "fastify";
import { onTestFinished, vi } from "vitest";
import { CallerGone } from "../../src/callers.ts";
import { RequestCaller } from "../../src/http/receiving/request-callers.ts";
import type { Answer } from "../support/api.ts";
import type { V1 } from "../support/v1.ts";

/** The end of a request whose client went. */
export interface Dropped {
  /** The answer, where the client had no reason to go: it never came to so many pauses. */
  answer: Answer | undefined;
  /** How often it was looked whether the client is there: at pauses, and before what is asked of storage. */
  looks: number;
  /** The same after the client had gone, by what was found. */
  later: boolean[];
  /** How the handler ended; undefined where none was begun, and of reads. */
  outcome: "done" | "refused" | "gone" | undefined;
}

/** Turns of the event loop in which whatever goes on would be heard of. */
export const TURNS = 40;
/** In which a transaction comes to its end, also where others have the machine; in milliseconds. */
const COMMIT_MS = 500;
/** Longer than any share of a turn, and far less than the bounds on time that work has. */
const STEP_MS = 6;

/** From now on each share of a turn is used up as soon as it is asked for, so that work pauses wherever it can. */
export function spendTurns(): void {
  let now = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => (now += STEP_MS));
  onTestFinished(() => spy.mockRestore());
}

/**
 * Sends a request whose client goes right after the `at`th look at it, counted from 0.
 *
 * @param longestMs for so long it is waited for the handler's end, and of reads for the next look, where that is not counted in turns
 * of the event loop: signatures are verified in other threads, and likenesses found there
 */
export async function dropAt(v1: V1, at: number, request: InjectOptions, longestMs = 0): Promise<Dropped> {
  const { isGone, count } = RequestCaller.prototype;
  const found: Dropped = { answer: undefined, looks: 0, later: [], outcome: undefined };
  let handled: Promise<void> | undefined;
  const looking = vi.spyOn(RequestCaller.prototype, "isGone").mockImplementation(function look(this: RequestCaller) {
    const isNow = isGone.call(this);
    if (found.looks > at) found.later.push(isNow);
    else if (found.looks === at) end(this);
    found.looks += 1;
    return isNow;
  });
  const counting = vi.spyOn(RequestCaller.prototype, "count").mockImplementation(function note(
    this: RequestCaller,
    work,
  ) {
    handled = work.then(
      () => void (found.outcome = "done"),
      (error: unknown) => void (found.outcome = error instanceof CallerGone ? "gone" : "refused"),
    );
    count.call(this, work);
  });
  try {
    found.answer = await v1.send(request).catch(() => undefined);
    for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    // A handler that gives the reply itself ends when `inject` says that it was sent, which it does not of one that was destroyed.
    const isUnderWay = () => handled !== undefined && found.outcome === undefined;
    for (const until = Date.now() + COMMIT_MS; isUnderWay() && Date.now() < until;) await setImmediate();
    const isOver = () => found.outcome !== undefined || (handled === undefined && found.later.length > 0);
    for (const until = Date.now() + longestMs; !isOver() && Date.now() < until;) await setImmediate();
    return found;
  } finally {
    looking.mockRestore();
    counting.mockRestore();
  }
}

/** As when its connection closes: what `inject` asks with and answers into forgets to note that. */
function end(caller: RequestCaller): void {
  const { request, response } = caller as unknown as { request: FastifyRequest; response: ServerResponse };
  Object.assign(request.raw, { aborted: true });
  Object.assign(request.raw.socket, { destroyed: true });
  response.destroy();
  Object.assign(response, { _closed: true });
}

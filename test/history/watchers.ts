import { setTimeout as sleep } from "node:timers/promises";
import { createCaller, type Caller, type Targets } from "./caller.ts";
import type { Operation } from "./history.ts";
import type { Random } from "./random.ts";
import { outcomeOf, type Recorder } from "./recorder.ts";
import { ROLES_PATH, rolesIn } from "./role-actions.ts";

/** Clients that wait for the next state of the roles, one per node to begin with. */
export interface Watchers {
  /** The lowest index that any of them has been shown last, and the highest. */
  lowest(): number;
  highest(): number;
  stop(): Promise<void>;
}

/** A little more than the longest wait that is asked for. */
const ANSWER_MS = 70_000;
const PAUSE_MS = 100;

/** Starts them. @param first number of the first one; the others follow */
export function startWatchers(targets: Targets, recorder: Recorder, random: Random, first: number): Watchers {
  const stopping = new AbortController();
  const shown = targets.urls.map(() => 0);
  const running = targets.urls.map(async (_url, number) => {
    const caller = createCaller(first + number, targets, recorder, random);
    await watch(caller, number, targets.urls.length, stopping.signal, (index) => (shown[number] = index));
    caller.close();
  });
  return {
    lowest: () => Math.min(...shown),
    highest: () => Math.max(...shown),
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Asks again and again with the index of the last answer; goes to the next node when one fails. */
async function watch(
  caller: Caller,
  first: number,
  nodes: number,
  signal: AbortSignal,
  show: (index: number) => void,
): Promise<void> {
  let node = first;
  let since = 0;
  while (!signal.aborted) {
    const operation: Operation = { kind: "watch", pool: "roles", since };
    const path = `${ROLES_PATH}?index=${since}&wait=60s`;
    const asked = { method: "GET", path, node, milliseconds: ANSWER_MS, signal } as const;
    const reply = await caller.perform(operation, asked, (answer) => ({ ...operation, found: rolesIn(answer) }));
    if (typeof reply !== "string" && outcomeOf(reply) === "done" && reply.index !== undefined) {
      // As clients do it that are told of a time before.
      since = reply.index < since ? 0 : reply.index;
      show(reply.index);
      continue;
    }
    node = (node + 1) % nodes;
    await sleep(PAUSE_MS);
  }
}

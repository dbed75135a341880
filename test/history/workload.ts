import { createCaller, type Action, type Targets } from "./caller.ts";
import { startFollowers, type Followers } from "./followers.ts";
import { createRandom, type Random } from "./random.ts";
import type { Recorder } from "./recorder.ts";
import { rightActions } from "./right-actions.ts";
import { createWritten, registerActions } from "./register-actions.ts";
import { roleActions } from "./role-actions.ts";
import type { Stage } from "./stage.ts";
import { tagActions } from "./tag-actions.ts";
import { tokenActions } from "./token-actions.ts";
import { valueActions } from "./value-actions.ts";
import { startWatchers, type Watchers } from "./watchers.ts";

/** Clients of a run. */
export interface Workload {
  /** Lets every client finish what it does; the watchers go on. */
  stopClients(): Promise<void>;
  readonly watchers: Watchers;
  readonly followers: Followers;
}

export const CLIENTS = 8;

/** Kinds of objects that the clients work on. */
export type Focus = "registers" | "roles" | "tags" | "tokens" | "rights" | "values";

/** How much more often a client does what a run is about. */
const FOCUSED = 10;

/**
 * Starts the clients and the watchers. Their actions follow from the seed and from the answers.
 *
 * @param focus what they do more than anything else. Default: everything in its share.
 */
export function startWorkload(
  targets: Targets,
  recorder: Recorder,
  stage: Stage,
  seed: number,
  focus?: Focus,
): Workload {
  const nodes = targets.urls.length;
  const written = createWritten();
  let stopped = false;

  async function run(client: number): Promise<void> {
    const random = createRandom(seed * 1000 + client);
    const caller = createCaller(client, targets, recorder, random);
    const all: Readonly<Record<Focus, readonly Action[]>> = {
      registers: registerActions(caller, stage, nodes, written),
      roles: roleActions(caller, stage),
      tags: tagActions(caller, stage),
      tokens: tokenActions(caller, stage, nodes),
      rights: rightActions(caller, nodes),
      values: valueActions(caller, stage, nodes, CLIENTS),
    };
    const actions = Object.entries(all).flatMap(([kind, some]) =>
      kind === focus ? some.map((action) => ({ ...action, weight: action.weight * FOCUSED })) : some,
    );
    while (!stopped) await choose(random, actions).run();
    caller.close();
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => run(client)));
  // Awaited at the end; a failure before is thrown then.
  clients.catch(() => undefined);
  const watchers = startWatchers(targets, recorder, createRandom(seed * 1000 + CLIENTS), CLIENTS);
  const followers = startFollowers(
    targets,
    recorder,
    createRandom(seed * 1000 + CLIENTS + 1),
    stage.values.organization,
  );
  return {
    watchers,
    followers,
    async stopClients() {
      stopped = true;
      await clients;
    },
  };
}

function choose(random: Random, actions: readonly Action[]): Action {
  let left = random.below(actions.reduce((sum, { weight }) => sum + weight, 0));
  for (const action of actions) {
    if (left < action.weight) return action;
    left -= action.weight;
  }
  throw new RangeError("there is nothing to do");
}

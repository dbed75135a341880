/** Reports the progress of a job to clients that watch it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "../../rights/actor.ts";
import type { Context } from "../../context.ts";
import { readGuarded } from "../../storage/feed/content-states.ts";
import { counterName } from "../../storage/writes/counters.ts";
import { counterChange } from "../../storage/feed/feed.ts";
import type { Waiter } from "../../watch/watches.ts";
import { isFinished } from "./job.ts";
import { readJob, type OwnedJob } from "./service.ts";

/** A job makes many slices a second; who watches it is told of some of them. */
const LEAST_PAUSE_MS = 250;

export interface Watching {
  ctx: Context;
  id: string;
  /** Ended by whoever made it: when the client goes, or its token's time is over. */
  waiter: Waiter;
  /** Returns the actor of the request, as of now. @throws AppError when the token is gone */
  actorOf(): Promise<Actor>;
  /** Called immediately, after each progress of the job, and when it has ended. */
  tell(job: OwnedJob): void;
}

/**
 * Tells how far a job is until it has ended, or nobody listens.
 *
 * @throws AppError `not_found` when it is gone, or may not be seen any more
 */
export async function watchJob({ ctx, id, waiter, actorOf, tell }: Watching): Promise<void> {
  let told = "";
  for (;;) {
    const actor = await actorOf();
    const { organizationId } = await readJob({ ...ctx, actor }, id);
    const counter = counterName({ kind: "organization", id: organizationId });
    const guarded = await readGuarded(ctx.db, counter);
    // Before the job is read again, so that no change falls between that and the wait.
    waiter.watch({ ...counterChange(counter), state: guarded?.at ?? "" }, ...actor.restsOn);
    const job = await readJob({ ...ctx, actor }, id);
    const text = JSON.stringify(job);
    if (text !== told) tell(job);
    told = text;
    if (isFinished(job) || (await waiter.wait()) !== "changed") return;
    await sleep(LEAST_PAUSE_MS);
  }
}

/** Work that takes long: a few pieces at a time, and one of each owner, so that none keeps the others from theirs. */
import { AppError } from "../errors.ts";
import { createLane, createLanes } from "./lane.ts";

export interface OwnedLane {
  /**
   * Does the work when its turn has come.
   *
   * @param owner of whom one piece is done at a time
   * @throws AppError `unavailable` when too much waits, or it has waited too long; or what the work throws
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

const WAITING = { ofOwner: 8, all: 64, milliseconds: 10_000 };

/** @param running how much is under way at a time @param what is refused, as the refusal says it */
export function createOwnedLane(running: number, what: string): OwnedLane {
  const refusal = () => new AppError("unavailable", `${what}, try again later`, { retryAfterSeconds: 1 });
  const { milliseconds, ofOwner, all } = WAITING;
  const refusals = { full: refusal, late: refusal };
  const owners = createLanes({ running: 1, waiting: ofOwner, milliseconds }, refusals);
  const lane = createLane({ running, waiting: all, milliseconds }, refusals);
  return { run: (owner, work) => owners.run(owner, () => lane.run(work)) };
}

/** Work that takes long: a few pieces at a time, and one or a few of each owner, so that none keeps the others from theirs. */
import { AppError } from "../errors.ts";
import { createLane, createLanes } from "./lane.ts";

export interface OwnedLane {
  /**
   * Does the work when its turn has come.
   *
   * @param owner of whom no more is done at a time than of any other
   * @param group of owners, where there is a bound for those who belong together
   * @throws AppError `unavailable`, or as was chosen, when too much waits, or it has waited too long; or what the work throws
   */
  run<T>(owner: string, work: () => Promise<T>, group?: string): Promise<T>;
}

const WAITING = { ofOwner: 8, all: 64, milliseconds: 10_000 };

interface Terms {
  /** How much of one owner is under way at a time. */
  ofOwner?: number;
  /** How much of one group; what is left is for others, however many owners it makes. */
  ofGroup?: number;
  /** What more is refused with. */
  code?: "unavailable" | "rate_limited";
}

/** @param running how much is under way at a time @param what is refused, as the refusal says it */
export function createOwnedLane(
  running: number,
  what: string,
  { ofOwner: most = 1, ofGroup = running, code = "unavailable" }: Terms = {},
): OwnedLane {
  const refusal = () => new AppError(code, `${what}, try again later`, { retryAfterSeconds: 1 });
  const { milliseconds, ofOwner, all } = WAITING;
  const refusals = { full: refusal, late: refusal };
  const owners = createLanes({ running: most, waiting: ofOwner, milliseconds }, refusals);
  const groups = createLanes({ running: ofGroup, waiting: all, milliseconds }, refusals);
  const lane = createLane({ running, waiting: all, milliseconds }, refusals);
  return {
    run: (owner, work, group) =>
      owners.run(owner, () => (group === undefined ? lane.run(work) : groups.run(group, () => lane.run(work)))),
  };
}

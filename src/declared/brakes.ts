/** The brakes of a plan: it goes on only when whoever applies it has said that it is meant. */
import type { DeclaredPlan } from "./plan.ts";
import type { ShownPlan } from "./show.ts";

/** The options by which something is said to be meant. */
export interface Meant {
  /** How many objects may go by `--prune`; undefined for no more than half of what the directory owns. */
  readonly maxDeletes: number | undefined;
  /** Whether the token of the command may lose rights. */
  readonly isLockout: boolean;
  /** Whether the server has to have tried all of a plan. */
  readonly isTried: boolean;
  /** How many recorded uses the plan may refuse, and how many may not be replayable; undefined for any number. */
  readonly maxRefused: number | undefined;
  readonly maxUnreplayable: number | undefined;
}

/** Why a prune is held up: a folder that is empty by mistake must not empty the server. @returns undefined when it is not */
export function pruneBrake({ plan: { prunes, owner } }: ShownPlan, { maxDeletes }: Meant): string | undefined {
  if (prunes === undefined || prunes.goes === 0) return undefined;
  const { goes, of } = prunes;
  if (maxDeletes !== undefined)
    return goes <= maxDeletes
      ? undefined
      : `--prune would delete ${goes} objects, but --max-deletes allows ${maxDeletes}`;
  if (goes * 2 <= of) return undefined;
  const share = goes === of ? `all ${of}` : `${goes} of the ${of}`;
  return `--prune would delete ${share} objects of ${owner ?? "the directory"}: if this is intended, set --max-deletes ${goes}`;
}

/**
 * Why a directory without objects is held up: one whose files are gone by mistake would find for ever that all is well, and so would
 * a prune for an owner whose name is mistyped.
 *
 * @param objects how many the directory declares
 * @returns undefined when it is not
 */
export function emptyBrake(
  { owner, prunes, ownership }: Pick<DeclaredPlan, "owner" | "prunes" | "ownership">,
  objects: number,
): string | undefined {
  if (objects > 0 || owner === undefined) return undefined;
  if ((ownership?.objects.length ?? 0) === 0)
    return `the files declare no objects, and ${owner} owns no objects on the server`;
  if (prunes !== undefined) return undefined;
  return `the files declare no objects: to delete all objects of ${owner}, pass --prune`;
}

/** Why an apply that asks nobody is held up: afterwards its token could not take it back. @returns undefined when it is not */
export function lockoutBrake({ losses }: ShownPlan, { isLockout }: Meant): string | undefined {
  const own = losses.first.find(({ isOwn }) => isOwn);
  if (own === undefined || isLockout) return undefined;
  return `the plan removes permissions from your own token (${own.who} ${own.what}): if this is intended, pass --allow-lockout`;
}

/** Why a plan is no proof that it can be applied, for a job that asks for one. @returns undefined when it is one */
export function untriedBrake({ plan, untried = [] }: ShownPlan, { isTried }: Meant): string | undefined {
  if (untried.length === 0 || !isTried) return undefined;
  const many = `${untried.length} of ${plan.changes.length} changes were not tested on the server`;
  return `${many}: an apply may fail`;
}

/** Why a plan takes more recorded use away than is meant, or cannot tell. @returns undefined when it does not */
export function replayBrake({ replayed }: ShownPlan, { maxRefused, maxUnreplayable }: Meant): string | undefined {
  if (replayed === undefined || (maxRefused === undefined && maxUnreplayable === undefined)) return undefined;
  const { refused, unreplayable, gaps } = replayed;
  const [gap] = gaps;
  if (gap !== undefined) return `recorded use was not replayed in ${gap}`;
  if (maxRefused !== undefined && refused > maxRefused)
    return `the plan denies ${refused} recorded uses, more than --max-refused ${maxRefused}`;
  if (maxUnreplayable !== undefined && unreplayable.total > maxUnreplayable)
    return `${unreplayable.total} recorded uses cannot be replayed, more than --max-unreplayable ${maxUnreplayable}`;
  return undefined;
}

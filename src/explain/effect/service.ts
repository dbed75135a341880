/** Computes gains and losses by a change, without making the change. Implements `/v1/acl/effect`. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { isVisible } from "../../rights/rules/visibility.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { aclNamespaces } from "../../rights/authorize.ts";
import { openPlace, writePlace } from "../access/place.ts";
import { SUBJECTS } from "../access/find.ts";
import { checkPermission, type ListScope } from "../../rights/permission.ts";
import { ANY_NAMESPACE, homeOf, isIn, type Scope } from "../../rights/scope.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { WHO_CHANGES, type Effect } from "./find.ts";
import { resolveDrafts, type DraftInput } from "./resolve.ts";

export interface EffectRequest {
  drafts: DraftInput;
  /** One of the kinds of subjects; empty for all. */
  kind: string;
  /** The `next` of the page before; empty for the first. */
  after: string;
  /** ID of a change, for its subjects only; empty for all. */
  change: string;
  size: number;
}

export interface EffectPage extends Effect {
  /** Position of the next page; undefined on the last page. */
  next: string | undefined;
  /** Whether there are namespaces that the caller may not read, as far as its own rights say. */
  isFiltered: boolean;
}

/** ID of a change, as responses contain it. */
const CHANGE = /^[0-9a-f]{16}$/;

/** Maximum number of drafts in one request. */
export const MOST_DRAFTS = 1000;

/**
 * Returns a page of subjects that would gain or lose an access, and their number.
 *
 * @param scope scope of all that changes
 * @throws AppError `forbidden` without acl:read there, `not_found` and `invalid` for drafts that cannot be,
 * `bad_parameter`, `rate_limited` with too many requests
 */
export async function effectOf(
  ctx: Context,
  options: AccessOptions,
  lane: QuestionLane,
  scope: Scope,
  asked: EffectRequest,
): Promise<EffectPage> {
  checkPermission(ctx, scope, "acl", "read");
  const { drafts: given, size } = asked;
  const kinds = SUBJECTS.filter((kind) => asked.kind === "" || kind === asked.kind);
  if (kinds.length === 0) throw new AppError("bad_parameter", `Invalid kind: expected one of ${SUBJECTS.join(", ")}`);
  if (Object.values(given).reduce((sum, list) => sum + list.length, 0) > MOST_DRAFTS)
    throw invalid(`Too many objects: at most ${MOST_DRAFTS} can be compared`);
  const { change } = asked;
  if (change !== "" && !CHANGE.test(change))
    throw new AppError("bad_parameter", 'Invalid parameter "change": expected the ID of a change');
  const after = openPlace(asked.after);
  // Only what lies in the namespace `default` can be given to all of another one.
  const isHome = isIn(homeOf(scope.partition), scope);
  const readable = aclNamespaces(ctx.actor, scope.partition);
  const list: ListScope = isHome ? { partition: scope.partition, namespace: ANY_NAMESPACE, visible: readable } : scope;
  const { defaultPolicy, edition, datacenter } = options;
  const found = await lane.run(ctx.actor, async () => {
    const drafts = await resolveDrafts(ctx, scope, given, edition);
    const search = { home: scope, readable, drafts, lists: [list], kinds, after, size, change, now: ctx.now() };
    return ctx.db.apart(WHO_CHANGES, { ...search, options: { defaultPolicy, edition, datacenter } });
  });
  if (found === undefined) throw invalid("The comparison takes too long. Send fewer objects or rules");
  const entries = found.entries.slice(0, size);
  const last = entries.at(-1);
  return {
    ...found,
    entries,
    next: found.entries.length > size && last !== undefined ? writePlace(last.place) : undefined,
    // Defaults of other namespaces lie in `default`, whatever they say.
    isFiltered: isHome ? !seesAll(readable) : !isVisible(readable, homeOf(scope.partition).namespace),
  };
}

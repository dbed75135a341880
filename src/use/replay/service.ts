/** Asks the use ledger again by a draft, which is not written. Implements `/v1/acl/replay`. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import type { BindingRuleChecks } from "../../acl/binding-rules/asked.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { MOST_DRAFTS } from "../../explain/effect/service.ts";
import { resolveDrafts, type DraftInput } from "../../explain/effect/resolve.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { aclNamespaces } from "../../rights/authorize.ts";
import { checkPermission, type ListScope } from "../../rights/permission.ts";
import { ANY_NAMESPACE, homeOf, isIn, type Scope } from "../../rights/scope.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { resolveBindings, type BindingRuleDraft } from "./drafts.ts";
import { CHANGES, placeOf } from "./entry.ts";
import { REPLAY, type Replay } from "./find.ts";

export interface ReplayRequest {
  drafts: DraftInput;
  bindings: readonly BindingRuleDraft[];
  /** One of the differences; empty for those by the draft. */
  change: string;
  /** The `next` of the page before; empty for the first. */
  after: string;
  size: number;
}

export interface FoundReplay extends Replay {
  /** When it was asked, in milliseconds since the epoch: days of use are counted back from then. */
  now: number;
  /** Position of the next page; undefined on the last page. */
  next: string | undefined;
  /** Whether there are namespaces that the caller may not read, as far as its own rights say. */
  isFiltered: boolean;
}

/** Options of the server's own questions. */
export interface Replaying {
  access: AccessOptions;
  checks: BindingRuleChecks;
  lane: QuestionLane;
}

/**
 * Returns a page of the questions of the ledger that a draft answers in another way, and their number.
 *
 * @param scope scope of all that changes
 * @throws AppError `forbidden` without acl:read there, `not_found` and `invalid` for drafts that cannot be,
 * `bad_parameter`, `rate_limited` with too many requests
 */
export async function replayOf(
  ctx: Context,
  { access, checks, lane }: Replaying,
  scope: Scope,
  { drafts: given, bindings: rules, change, after, size }: ReplayRequest,
): Promise<FoundReplay> {
  checkPermission(ctx, scope, "acl", "read");
  // The draft does not change requests that are refused already: they are listed only when asked for.
  const changes = CHANGES.filter((each) => (change === "" ? each !== "already-refused" : each === change));
  if (changes.length === 0)
    throw new AppError("bad_parameter", `Invalid parameter "change": expected one of ${CHANGES.join(", ")}`);
  if (Object.values(given).reduce((sum, list) => sum + list.length, rules.length) > MOST_DRAFTS)
    throw invalid(`Too many objects: at most ${MOST_DRAFTS} can be compared`);
  const place = openPlace(after);
  // Only what lies in the namespace `default` can be given to all of another one.
  const isHome = isIn(homeOf(scope.partition), scope);
  const list: ListScope = isHome
    ? { partition: scope.partition, namespace: ANY_NAMESPACE, visible: aclNamespaces(ctx.actor, scope.partition) }
    : scope;
  const { defaultPolicy, edition, datacenter } = access;
  const now = ctx.now();
  const found = await lane.run(ctx.actor, async () => {
    const drafts = await resolveDrafts(ctx, scope, given, edition);
    const bindings = await resolveBindings(ctx, scope, rules, checks);
    const search = { home: scope, drafts, bindings, list, changes, after: place, size, now };
    const { accessorId } = ctx.actor;
    return ctx.db.apart(REPLAY, { ...search, reader: { accessorId }, options: { defaultPolicy, edition, datacenter } });
  });
  if (found === undefined) throw invalid("The replay takes too long. Send fewer objects or rules");
  const entries = found.entries.slice(0, size);
  const last = entries.at(-1);
  return {
    ...found,
    entries,
    now,
    next: found.entries.length > size && last !== undefined ? writePlace(placeOf(last)) : undefined,
    isFiltered: list.visible !== undefined && !seesAll(list.visible),
  };
}

/** Characters of a position: a key may have a long name. */
const LONGEST = 16_384;

function writePlace(place: string): string {
  return Buffer.from(place).toString("hex");
}

/** @throws AppError `bad_parameter` */
function openPlace(text: string): string {
  if (text === "") return "";
  const isHex = text.length <= LONGEST && /^(?:[0-9a-f]{2})+$/.test(text);
  const place = isHex ? Buffer.from(text, "hex").toString() : "";
  if (!/^\[[0-9],"/.test(place)) throw new AppError("bad_parameter", "Invalid cursor for this list");
  return place;
}

/**
 * Proposes a smaller policy or role that gives nobody anything, by the use on record. Implements `/v1/acl/policy/{id}/tighten` and
 * `/v1/acl/role/{id}/tighten`. Changes nothing.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { isBuiltin } from "../../acl/policies/builtin.ts";
import { grammarOf, policyStore } from "../../acl/policies/store.ts";
import { readObject } from "../../acl/kit/objects.ts";
import { roleStore } from "../../acl/roles/store.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import type { Actor } from "../../rights/actor.ts";
import { aclNamespaces, authorize, unnoted } from "../../rights/authorize.ts";
import { checkPermission, type ListScope } from "../../rights/permission.ts";
import { ANY_NAMESPACE, homeOf, isIn, type Scope } from "../../rights/scope.ts";
import { checkUuid } from "../../rights/uuid.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { dayOf } from "../flush.ts";
import { DAYS_KEPT } from "../../records/uses/row.ts";
import type { KeptRule, TightenedLine } from "./engine/tighten.ts";
import { TIGHTEN_POLICY, TIGHTEN_ROLE, type FoundPolicy, type FoundRole } from "./find.ts";
import { MOST_ROWS, MOST_SETS, type Exceeded } from "./work.ts";

/** The window of a request. */
export interface TightenWindow {
  /** Number of days; undefined for the default. */
  days: number | undefined;
  /** Decision points whose questions about others count: AccessorIDs of tokens, and `method/identity` of logins. */
  points: readonly string[];
}

export interface TightenedPolicyDraft extends FoundPolicy {
  id: string;
  name: string;
  /** Text as it is stored. */
  rules: string;
  days: number;
}

export interface TightenedRoleDraft extends FoundRole {
  id: string;
  name: string;
  days: number;
}

/** Days without another wish. */
export const DEFAULT_DAYS = 90;
/** Maximum number of decision points of a request. */
const MOST_POINTS = 100;
/** Maximum number of rules and names that a request keeps. */
const MOST_KEPT = 1000;

/** @throws AppError `forbidden`, `not_found`, `invalid` when it cannot be tightened or takes too long, `rate_limited` */
export async function tightenPolicy(
  ctx: Context,
  options: AccessOptions,
  lane: QuestionLane,
  target: { scope: Scope; id: string },
  asked: TightenWindow & { keep: readonly KeptRule[] },
): Promise<TightenedPolicyDraft> {
  const { scope } = target;
  checkSight(ctx, scope);
  const { window, days } = windowOf(ctx, asked);
  checkKept(asked.keep);
  const find = () => policyStore.find(ctx.db, scope, checkUuid(target.id, "policy"));
  const { defaultPolicy, edition, datacenter } = options;
  return lane.run(ctx.actor, async () => {
    const policy = await readObject(ctx, scope, "policy", find);
    const { id, name, rules, datacenters } = policy;
    if (isBuiltin(id)) throw invalid(`Changing the Rules for the builtin ${name} policy is not permitted`);
    if (datacenters.length > 0 && !datacenters.includes(datacenter))
      throw invalid(
        `The policy ${name} does not apply in the datacenter ${datacenter}: this server does not record its use`,
      );
    const search = {
      policy,
      grammar: grammarOf(policy),
      window,
      keep: asked.keep,
      unnamed: [],
      lists: [listOf(ctx, scope)],
      options: { defaultPolicy, edition, datacenter },
      now: ctx.now(),
    };
    let found = offered(await ctx.db.apart(TIGHTEN_POLICY, search));
    const unnamed = hiddenLines(ctx.actor, found.lines);
    if (unnamed.length > 0) found = offered(await ctx.db.apart(TIGHTEN_POLICY, { ...search, unnamed }));
    return { ...found, id, name, rules, days };
  });
}

/** @throws AppError as `tightenPolicy` does */
export async function tightenRoleOf(
  ctx: Context,
  options: AccessOptions,
  lane: QuestionLane,
  target: { scope: Scope; id: string },
  asked: TightenWindow & { keep: readonly string[] },
): Promise<TightenedRoleDraft> {
  const { scope } = target;
  checkSight(ctx, scope);
  const { window, days } = windowOf(ctx, asked);
  checkKept(asked.keep);
  const find = () => roleStore.find(ctx.db, scope, checkUuid(target.id, "role"));
  const { defaultPolicy, edition, datacenter } = options;
  return lane.run(ctx.actor, async () => {
    const role = await readObject(ctx, scope, "role", find);
    const found = await ctx.db.apart(TIGHTEN_ROLE, {
      role,
      window,
      keep: asked.keep.map((id) => id.toLowerCase()),
      lists: [listOf(ctx, scope)],
      options: { defaultPolicy, edition, datacenter },
      now: ctx.now(),
    });
    return { ...offered(found), id: role.id, name: role.name, days };
  });
}

/**
 * Every holder counts, so the caller must be able to read all of them: policies of the namespace `default` can be granted to all
 * tokens of other namespaces.
 */
function checkSight(ctx: Context, scope: Scope): void {
  checkPermission(ctx, scope, "acl", "read");
  const { visible } = listOf(ctx, scope);
  if (visible === undefined || seesAll(visible)) return;
  throw new AppError(
    "forbidden",
    `Permission denied: token with AccessorID '${ctx.actor.accessorId}' requires permission 'acl:read' in every ` +
      `namespace of partition "${scope.partition}", because tokens in each namespace can have the policy`,
  );
}

function listOf({ actor }: Context, scope: Scope): ListScope {
  const { partition } = scope;
  if (!isIn(homeOf(partition), scope)) return scope;
  return { partition, namespace: ANY_NAMESPACE, visible: aclNamespaces(actor, partition) };
}

function windowOf(ctx: Context, { days = DEFAULT_DAYS, points: given }: TightenWindow) {
  if (days < 1 || days > DAYS_KEPT) throw invalid(`Invalid Days: expected 1 to ${DAYS_KEPT}`);
  if (given.length > MOST_POINTS) throw invalid(`Too many entries in DecisionPoints: maximum ${MOST_POINTS}`);
  if (given.includes("")) throw invalid("Invalid DecisionPoints: an entry is empty");
  // AccessorIDs are stored in lower case; method names and identities are as they are.
  const points = new Set(given.map((point) => (point.includes("/") ? point : point.toLowerCase())));
  return { days, window: { today: dayOf(ctx.now()), days, points } };
}

function checkKept(keep: readonly unknown[]): void {
  if (keep.length > MOST_KEPT) throw invalid(`Too many entries in Keep: maximum ${MOST_KEPT}`);
}

/** Rules that would be replaced by names of which the caller may not read one. */
function hiddenLines(actor: Actor, lines: readonly TightenedLine[]): number[] {
  const asker = unnoted(actor);
  const isHidden = ({ met }: TightenedLine): boolean =>
    met.some(({ resource, name, scope }) => name !== undefined && !authorize(asker, resource, name, "read", scope));
  return lines.filter(isHidden).map(({ at }) => at);
}

const MESSAGES: Readonly<Record<Exceeded, string>> = {
  time: "Tightening takes too long: too many rules and holders",
  holders: `Tightening takes too long: the holders have more than ${MOST_SETS} different sets of policies`,
  rows: `Tightening takes too long: more than ${MOST_ROWS} uses of permissions are recorded. Send fewer Days`,
  questions: "Tightening takes too long: a holder has too many policy rules for the same names",
};

/** @throws AppError `invalid` where the work exceeds its budget or nothing is recorded */
function offered<Found extends { since: number | undefined }>(found: Found | { exceeded: Exceeded }): Found {
  if ("exceeded" in found) throw invalid(MESSAGES[found.exceeded]);
  if (found.since === undefined)
    throw invalid("The use of permissions is not recorded. Start the server with --use-ledger on");
  return found;
}

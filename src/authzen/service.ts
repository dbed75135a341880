/**
 * Decides AuthZEN evaluations by the engine of `authorize`. Implements `/access/v1/evaluation` and `/access/v1/evaluations`
 * (Authorization API 1.0, sections 6 and 7).
 */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { AccessOptions } from "../acl/tokens/resolve.ts";
import type { QuestionLane } from "../explain/why/lane.ts";
import { explainAuthorization } from "../rights/authorize.ts";
import { checkPermission } from "../rights/permission.ts";
import { decide, type DecidingRights } from "../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../rights/rules/question.ts";
import { smallestRule } from "../rights/rules/smallest.ts";
import type { Scope } from "../rights/scope.ts";
import { startTurn } from "../turns.ts";
import { type Batch, type Entity, type Evaluation } from "./request.ts";
import { questionOf } from "./resources.ts";
import { orNone, type Subjects } from "./subjects.ts";

/** A decision as the standard has it. */
export interface Decision {
  decision: boolean;
  context?: Readonly<Record<string, unknown>>;
}

export interface DecisionPoint {
  subjects: Subjects;
  lane: QuestionLane;
  options: AccessOptions;
}

/** Circumstances of a request. */
export interface Asked {
  scope: Scope;
  /** Whether decisions come with their reason. */
  explains: boolean;
}

/**
 * Decides one evaluation.
 *
 * @throws AppError `forbidden` without acl:read in the scope, unless the subject is the caller's own token; `rate_limited`
 */
export async function evaluate(
  ctx: Context,
  point: DecisionPoint,
  asked: Asked,
  evaluation: Evaluation,
): Promise<Decision> {
  const [decision = DENIED] = await evaluateAll(ctx, point, asked, { items: [evaluation], semantic: "execute_all" });
  return decision;
}

/** Decides the items of a batch in their order, up to the one that ends it. @throws AppError as `evaluate` */
export async function evaluateAll(
  ctx: Context,
  { subjects, lane }: DecisionPoint,
  { scope, explains }: Asked,
  { items, semantic }: Batch,
): Promise<Decision[]> {
  const others = items.some((item) => !(item instanceof AppError) && !isOwn(ctx, scope, item.subject));
  if (others || explains) checkPermission(ctx, scope, "acl", "read");
  if (!others) {
    const rightsOf = () => Promise.resolve([ctx.actor.rights]);
    return decideItems(items, semantic, { ctx, scope, explains, rightsOf });
  }
  const known = new Map<string, Promise<readonly DecidingRights[]>>();
  const rightsOf = (subject: Entity): Promise<readonly DecidingRights[]> => {
    const key = JSON.stringify([subject.type, subject.id]);
    const found = known.get(key) ?? subjects.rightsOf(ctx, scope, subject).catch(orNone);
    known.set(key, found);
    return found;
  };
  return lane.run(ctx.actor, () => decideItems(items, semantic, { ctx, scope, explains, rightsOf }));
}

/** Whether a subject is the caller's own token: no permission is needed to ask about oneself. */
export function isOwn({ actor }: Context, scope: Scope, { type, id }: Entity): boolean {
  const { accessorId, scope: own } = actor;
  const isHere = own.namespace === scope.namespace && own.partition === scope.partition;
  return isHere && type === "token" && id.toLowerCase() === accessorId;
}

interface Deciding {
  ctx: Context;
  scope: Scope;
  explains: boolean;
  rightsOf(subject: Entity): Promise<readonly DecidingRights[]>;
}

const DENIED: Decision = { decision: false };

async function decideItems(
  items: Batch["items"],
  semantic: Batch["semantic"],
  deciding: Deciding,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  const turn = startTurn();
  for (const item of items) {
    const decision = item instanceof AppError ? failed(item) : await decideOne(item, deciding);
    decisions.push(decision);
    if (semantic === "deny_on_first_deny" && !decision.decision) break;
    if (semantic === "permit_on_first_permit" && decision.decision) break;
    if (turn.isOver()) await turn.next();
  }
  return decisions;
}

/** An item that is not a question is denied, with its error. */
function failed({ message }: AppError): Decision {
  return { decision: false, context: { error: { status: 400, message } } };
}

async function decideOne({ subject, action, resource }: Evaluation, deciding: Deciding): Promise<Decision> {
  const question = questionOf(resource, action.name, deciding.scope);
  if (question === undefined) return DENIED;
  const all = await deciding.rightsOf(subject);
  const rights = all.find((each) => decide(each, question, NO_FACTS).allow);
  const decision = rights !== undefined;
  if (!deciding.explains) return { decision };
  const first = rights ?? all[0];
  return { decision, context: first === undefined ? { reason: "unknown subject" } : reasonOf(first, question) };
}

function reasonOf(rights: DecidingRights, question: RightsQuestion): Readonly<Record<string, unknown>> {
  const { allow, decidedBy, rule, policies } = explainAuthorization(rights, question, NO_FACTS);
  const { resource, segment, access, scope } = question;
  const minimal = allow ? undefined : smallestRule(resource, segment, access, scope, scope);
  return {
    reason: decidedBy,
    ...(rule !== undefined && { rule }),
    ...(policies !== undefined && { policies }),
    ...(minimal !== undefined && { minimal_rule: minimal }),
  };
}

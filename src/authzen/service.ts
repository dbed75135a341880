/**
 * Decides AuthZEN evaluations by the engine of `authorize`. Implements `/access/v1/evaluation` and `/access/v1/evaluations`
 * (Authorization API 1.0, sections 6 and 7).
 */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { AccessOptions } from "../acl/tokens/resolve.ts";
import type { QuestionLane } from "../rights/question-lane.ts";
import { answer, explainAuthorization, type AskedAbout } from "../rights/authorize.ts";
import { checkPermission } from "../rights/permission.ts";
import type { DecidingRights } from "../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../rights/rules/question.ts";
import { smallestRule } from "../rights/rules/smallest.ts";
import { isIn, type Scope } from "../rights/scope.ts";
import { decisionPointOf } from "../rights/actor.ts";
import { startTurn } from "../turns.ts";
import { translate, type KnownMappings, type Mappings, type Translated } from "./mappings.ts";
import { type Batch, type AuthzenEntity, type Evaluation } from "./request.ts";
import { orNone, type Subjects } from "./subjects.ts";

/** A decision as the standard has it. */
export interface AuthzenDecision {
  decision: boolean;
  context?: Readonly<Record<string, unknown>>;
}

export interface DecisionPoint {
  subjects: Subjects;
  mappings: KnownMappings;
  lane: QuestionLane;
  options: AccessOptions;
}

/** Circumstances of a request. */
export interface Asked {
  scope: Scope;
  /** Whether decisions come with their reason. */
  explains: boolean;
}

/** Decisions; where they take more than this turn, the work that makes them, which has not begun. */
export type Decided<T> = T | (() => Promise<T>);

/**
 * Decides one evaluation.
 *
 * @throws AppError `forbidden` without acl:read in the scope, unless the subject is the caller's own token; `rate_limited`
 */
export function evaluate(
  ctx: Context,
  point: DecisionPoint,
  asked: Asked,
  evaluation: Evaluation,
): Decided<AuthzenDecision> {
  const decided = evaluateAll(ctx, point, asked, { items: [evaluation], semantic: "execute_all" });
  if (typeof decided !== "function") return decided[0] ?? DENIED;
  return async () => (await decided())[0] ?? DENIED;
}

/**
 * Decides the items of a batch in their order, up to the one that ends it: a short one about the caller itself in the same turn.
 *
 * @throws AppError as `evaluate`
 */
export function evaluateAll(
  ctx: Context,
  point: DecisionPoint,
  asked: Asked,
  batch: Batch,
): Decided<AuthzenDecision[]> {
  const { scope, explains } = asked;
  if (explains || !isIn(ctx.actor.scope, scope)) checkPermission(ctx, scope, "acl", "read");
  const { partition } = scope;
  const mappings = point.mappings.known(partition);
  if (mappings !== undefined) return evaluateBy(mappings, ctx, point, asked, batch);
  return async () => {
    const decided = evaluateBy(await point.mappings.of(partition), ctx, point, asked, batch);
    return typeof decided === "function" ? decided() : decided;
  };
}

/** Maximum number of items that are decided in one turn: as many as `authorize` takes. */
const MOST_IN_TURN = 64;

function evaluateBy(
  mappings: Mappings,
  ctx: Context,
  { subjects, lane }: DecisionPoint,
  { scope, explains }: Asked,
  batch: Batch,
): Decided<AuthzenDecision[]> {
  const { semantic } = batch;
  const items = batch.items.map((item) => (item instanceof AppError ? item : translate(mappings, item, scope)));
  const others = items.some((item) => !(item instanceof AppError) && !isOwn(ctx, scope, item.subject));
  if (others) checkPermission(ctx, scope, "acl", "read");
  if (!others) {
    const own = [ctx.actor];
    const deciding = { explains, column: "own", rightsOf: () => own } as const;
    return items.length <= MOST_IN_TURN
      ? decideNow(items, semantic, deciding, own)
      : () => decideItems(items, semantic, deciding);
  }
  const known = new Map<string, Promise<readonly AskedAbout[]>>();
  // Questions of the console are no use.
  const isCounted = ctx.actor.session === undefined;
  const rightsOf = (subject: AuthzenEntity): Promise<readonly AskedAbout[]> => {
    const key = JSON.stringify([subject.type, subject.id]);
    const found = known.get(key) ?? subjects.rightsOf(ctx, scope, subject).catch(orNone);
    known.set(key, found);
    return found;
  };
  const counting = isCounted ? ({ column: "others", askedBy: decisionPointOf(ctx.actor) } as const) : NOT_COUNTED;
  return () => lane.run(ctx.actor, () => decideItems(items, semantic, { explains, ...counting, rightsOf }));
}

/** Whether a subject is the caller's own token: no permission is needed to ask about oneself. */
export function isOwn({ actor }: Context, scope: Scope, { type, id }: AuthzenEntity): boolean {
  return isIn(actor.scope, scope) && type === "token" && id.toLowerCase() === actor.accessorId;
}

interface Deciding {
  explains: boolean;
  /** Column of the use ledger; undefined for none. */
  column: "own" | "others" | undefined;
  /** The decision point that asks about others. */
  askedBy?: string;
  rightsOf(subject: AuthzenEntity): readonly AskedAbout[] | Promise<readonly AskedAbout[]>;
}

const NOT_COUNTED = { column: undefined } as const;
const DENIED: AuthzenDecision = { decision: false };

type Item = Translated | AppError;

/** Decides items about one subject without a pause. */
function decideNow(
  items: readonly Item[],
  semantic: Batch["semantic"],
  deciding: Deciding,
  all: readonly AskedAbout[],
): AuthzenDecision[] {
  const decisions: AuthzenDecision[] = [];
  for (const item of items) {
    const decision = item instanceof AppError ? failed(item) : decideOne(item, deciding, all);
    decisions.push(decision);
    if (isEndedBy(decision, semantic)) break;
  }
  return decisions;
}

/** Each subject is looked up whether there is a question or not: the time tells nothing. */
async function decideItems(
  items: readonly Item[],
  semantic: Batch["semantic"],
  deciding: Deciding,
): Promise<AuthzenDecision[]> {
  const decisions: AuthzenDecision[] = [];
  const turn = startTurn();
  for (const item of items) {
    const decision =
      item instanceof AppError ? failed(item) : decideOne(item, deciding, await deciding.rightsOf(item.subject));
    decisions.push(decision);
    if (isEndedBy(decision, semantic)) break;
    if (turn.isOver()) await turn.next();
  }
  return decisions;
}

function isEndedBy({ decision }: AuthzenDecision, semantic: Batch["semantic"]): boolean {
  return semantic === (decision ? "permit_on_first_permit" : "deny_on_first_deny");
}

/** An item that is not a question is denied, with its error. */
function failed({ message }: AppError): AuthzenDecision {
  return { decision: false, context: { error: { status: 400, message } } };
}

function decideOne({ question, fault }: Translated, deciding: Deciding, all: readonly AskedAbout[]): AuthzenDecision {
  if (question === undefined) return deciding.explains ? { decision: false, context: { reason: fault } } : DENIED;
  const { column, askedBy } = deciding;
  const allowed = all.find(({ rights, uses }) =>
    answer({ rights, uses: column && uses }, question, column ?? "others", askedBy),
  );
  const decision = allowed !== undefined;
  if (!deciding.explains) return { decision };
  const first = allowed ?? all[0];
  return { decision, context: first === undefined ? { reason: "unknown subject" } : reasonOf(first.rights, question) };
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

/**
 * Explains why a subject has an access, or not: each decision with the path that led to it. Implements
 * `/v1/acl/explain`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkQuestion } from "../../acl/authorizations/service.ts";
import { explainAuthorization } from "../../rights/authorize.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import type { LoginServices } from "../../acl/login/services.ts";
import type { Explanation } from "../../rights/rules/authorizer.ts";
import { NO_FACTS, type RightsQuestion } from "../../rights/rules/question.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { RenderScope, Scope } from "../../rights/scope.ts";
import { compileWithPlaces } from "../../acl/tokens/compile.ts";
import { type AccessOptions } from "../../acl/tokens/resolve.ts";
import { showDecision, type ShownDecision } from "./path.ts";
import { questionOfRequest } from "./requests.ts";
import { findSubject, type NoSubject, type Subject, type SubjectRequest } from "./subject.ts";
import { findWanted, type MissingRules } from "./wanted.ts";

/** A question as a request gives it: about a resource, or about a method and path. */
export interface AskedQuestion {
  resource: string;
  access: string;
  segment: string;
  scope: Scope;
  /** Such as `PATCH /api/v2/workspaces/ws-1`; undefined when the rest says what is asked. */
  request: string | undefined;
}

/** Answer; without a decision the object of the question does not exist for the caller. */
export interface ExplainedQuestion {
  /** Question that was decided; undefined like the decision. */
  asked: RightsQuestion | undefined;
  decision: ShownDecision | undefined;
  wanted: MissingRules | undefined;
}

export interface ExplainedAccess {
  subject: Subject | NoSubject;
  answers: ExplainedQuestion[];
}

/** Dependencies of an explanation besides the request. */
export interface WhyOptions {
  access: AccessOptions;
  services: LoginServices;
  renderScope: RenderScope;
  /** Lane in whose turns it runs. */
  lane: QuestionLane;
}

/** Maximum number of questions in one request. */
const MOST_QUESTIONS = 64;

/**
 * Explains decisions about a token, a role, an identity that would log in, or a subject that would have a policy.
 *
 * @throws AppError `forbidden` without acl:read where it works, `not_found` for whom there is not, `bad_parameter` and `invalid` when it
 * is not said who and what, `rate_limited` when too many ask
 */
export async function explain(
  ctx: Context,
  options: WhyOptions,
  scope: Scope,
  asked: SubjectRequest,
  questions: readonly AskedQuestion[],
): Promise<ExplainedAccess> {
  checkPermission(ctx, scope, "acl", "read");
  // An identity provider may answer slowly: this must not occupy a turn.
  const find = () => findSubject(ctx, options.services, scope, asked, options.access.edition);
  const identity = asked.authMethod === undefined ? undefined : await find();
  return options.lane.run(ctx.actor, async () => explainSubject(ctx, options, identity ?? (await find()), questions));
}

async function explainSubject(
  ctx: Context,
  options: WhyOptions,
  subject: Subject | NoSubject,
  questions: readonly AskedQuestion[],
): Promise<ExplainedAccess> {
  if (questions.length > MOST_QUESTIONS) {
    throw new AppError("bad_parameter", `Too many checks: at most ${MOST_QUESTIONS} per request`);
  }
  const understood: (RightsQuestion | undefined)[] = [];
  for (const question of questions) understood.push(await understand(ctx, question));
  return { subject, answers: await decideAll(ctx, options, subject, understood) };
}

async function understand(ctx: Context, question: AskedQuestion): Promise<RightsQuestion | undefined> {
  const { request, resource, access, segment, scope } = question;
  if (request !== undefined) return questionOfRequest(ctx, request, scope);
  return { ...checkQuestion(resource, access), segment, scope };
}

/**
 * Decides each question about a subject, and shows the path to the decision.
 *
 * @param seeks whether roles are sought that would allow a denied access, besides the minimal rule
 */
export async function decideAll(
  ctx: Context,
  { access: options, renderScope }: WhyOptions,
  subject: Subject | NoSubject,
  questions: readonly (RightsQuestion | undefined)[],
  seeks: "roles" | "rules" = "roles",
): Promise<ExplainedQuestion[]> {
  if ("refusal" in subject) {
    const decision = { Allow: false, DecidedBy: subject.decidedBy, Rule: undefined, Path: undefined };
    return questions.map((each) => ({ asked: each, decision: each && decision, wanted: undefined }));
  }
  const rights = await compileWithPlaces(subject.effective, options);
  const answers: ExplainedQuestion[] = [];
  const denied: { answer: ExplainedQuestion; asked: RightsQuestion; explanation: Explanation }[] = [];
  for (const asked of questions) {
    const answer: ExplainedQuestion = { asked, decision: undefined, wanted: undefined };
    answers.push(answer);
    if (asked === undefined) continue;
    const explanation = explainAuthorization(rights, asked, NO_FACTS);
    answer.decision = showDecision(ctx, subject, explanation, renderScope);
    if (!explanation.allow) denied.push({ answer, asked, explanation });
  }
  const wanted = await findWanted(ctx.db, subject, denied, options, seeks);
  for (const [index, { answer }] of denied.entries()) answer.wanted = wanted[index];
  return answers;
}

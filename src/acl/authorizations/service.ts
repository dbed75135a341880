/**
 * May the caller do this? Asked from outside, so that other services can use
 * this server to decide. Implements `/v1/internal/acl/authorize`.
 */
import type { Context } from "../../context.ts";
import { readEffective } from "../effective.ts";
import { answer, explainAuthorization } from "../../rights/authorize.ts";
import { findLiving } from "../namespaces/living.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { Authorizer, Explanation } from "../../rights/rules/authorizer.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import type { Scope } from "../../rights/scope.ts";
import { compilePolicies } from "../tokens/compile.ts";
import { type AccessOptions } from "../tokens/resolve.ts";
import { tokenStore } from "../tokens/store.ts";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import { ACCESSES, isResource, type Access, type Resource } from "../../rights/rules/rule.ts";

/** A question as a request gives it. */
export interface Question {
  resource: string;
  access: string;
  segment: string;
  /** Scope of the question, folded. */
  scope: Scope;
}

/** Maximum number of questions in one request. */
const MAX_QUESTIONS = 64;

/**
 * Whether the caller may do each, in the order of the questions.
 *
 * @throws AppError `bad_parameter` when a question cannot be understood, or there are too many
 */
export function answerQuestions({ actor }: Context, questions: readonly Question[]): boolean[] {
  checkNumber(questions);
  return questions.map(({ resource: asked, access: wanted, segment, scope }) => {
    const { resource, access } = checkQuestion(asked, wanted);
    return answer(actor, { resource, segment, access, scope }, "own");
  });
}

/**
 * The same, with the rule of the policy that decides each.
 *
 * @throws AppError `bad_parameter` as above, `forbidden` without acl:read
 */
export async function explainQuestions(
  ctx: Context,
  options: AccessOptions,
  questions: readonly Question[],
): Promise<Explanation[]> {
  checkNumber(questions);
  checkPermission(ctx, ctx.actor.scope, "acl", "read");
  const checked = questions.map((question) => ({ ...question, ...checkQuestion(question.resource, question.access) }));
  const rights = await readRights(ctx, options);
  return checked.map((question) => explainAuthorization(rights, question, NO_FACTS));
}

function checkNumber(questions: readonly Question[]): void {
  if (questions.length <= MAX_QUESTIONS) return;
  // words-ok: Consul's text
  throw new AppError("bad_parameter", `Refusing to process more than ${MAX_QUESTIONS} authorizations at once`);
}

/** With the ways that lead to each policy, which the rights that tokens share are without. */
async function readRights({ db, actor }: Context, options: AccessOptions): Promise<Authorizer> {
  const token = await tokenStore.anywhere(db, actor.accessorId);
  const namespace = token && (await findLiving(db, token.scope));
  if (token === undefined || namespace === undefined) {
    throw new AppError("forbidden", "ACL not found", { refused: UNKNOWN_TOKEN });
  }
  return compilePolicies(await readEffective(db, token, namespace.defaults, options.datacenter), options);
}

/**
 * Returns the resource and the access of a question, as the server names them.
 *
 * @param resource exact, such as `service`
 * @param access in any case, such as `read`
 * @throws AppError `bad_parameter` when the resource or the access does not exist
 */
export function checkQuestion(resource: string, access: string): { resource: Resource; access: Access } {
  if (!isResource(resource)) {
    throw new AppError("bad_parameter", `Invalid ACL resource requested: ${JSON.stringify(resource)}`);
  }
  const wanted = access.toLowerCase();
  const found = ACCESSES.get(resource)?.find((each) => each === wanted);
  if (found === undefined) {
    throw new AppError("bad_parameter", `Invalid access level for ${resource} resource: ${access}`);
  }
  return { resource, access: found };
}

/**
 * May the caller do this? Asked from outside, so that other services can use
 * this server to decide. Implements `/v1/internal/acl/authorize`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readEffective } from "../effective.ts";
import { checkPermission } from "../permission.ts";
import type { Explanation } from "../rules/authorizer.ts";
import { compilePolicies, type AccessSettings } from "../tokens/resolve.ts";
import { findTokenAnywhere } from "../tokens/lookup.ts";
import { checkQuestion } from "./questions.ts";

/** A question as a request gives it. */
export interface Question {
  resource: string;
  access: string;
  segment: string;
}

export interface Answer {
  allow: boolean;
  /** Which rule of which policy decided; only when asked for. */
  explanation: Explanation | undefined;
}

/** Questions that one request may ask. */
const MAX_QUESTIONS = 64;

/**
 * Answers in the order of the questions.
 *
 * @param explains whether to say why; needs acl:read
 * @throws AppError `bad_parameter` when a question cannot be understood, `forbidden`
 */
export async function answerQuestions(
  ctx: Context,
  settings: AccessSettings,
  questions: readonly Question[],
  explains: boolean,
): Promise<Answer[]> {
  if (questions.length > MAX_QUESTIONS) {
    throw new AppError("bad_parameter", `Refusing to process more than ${MAX_QUESTIONS} authorizations at once`);
  }
  if (explains) checkPermission(ctx, "acl", "read");
  const checked = questions.map(({ resource, access, segment }) => ({ ...checkQuestion(resource, access), segment }));
  if (!explains) {
    const { rights } = ctx.actor;
    return checked.map(({ resource, segment, access }) => ({
      allow: rights.allows(resource, segment, access),
      explanation: undefined,
    }));
  }
  const token = await findTokenAnywhere(ctx.db, ctx.actor.accessorId);
  const policies = token === undefined ? [] : (await readEffective(ctx.db, token, settings.datacenter)).policies;
  const rights = await compilePolicies(policies, settings.defaultPolicy);
  return checked.map(({ resource, segment, access }) => {
    const explanation = rights.explain(resource, segment, access);
    return { allow: explanation.allow, explanation };
  });
}

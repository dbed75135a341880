/** What a login would do and why, without doing it. Implements `/v1/acl/login/explain`. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import { literalIdentity } from "../../identities/literal.ts";
import type { Validator, VerifiedIdentity } from "../../identities/validator.ts";
import { findMethod, type AuthMethod } from "../auth-methods/lookup.ts";
import { explainRules, type RuleExplanation } from "../binding-rules/explain-rule.ts";
import { LoginRefused } from "../binding-rules/login-refused.ts";
import { checkPermission } from "../permission.ts";
import type { Scope } from "../scope.ts";
import type { ResolvedGrants } from "../tokens/change.ts";
import { checkLoginGrants } from "../tokens/login.ts";
import { checkTarget, chooseNamespace, isNothing, lookUp, type Given } from "./decide.ts";
import { checkBearer, NothingBound, refusalOf } from "./service.ts";
import type { LoginServices } from "./settings.ts";

/** Whose login is explained. */
export interface ExplainRequest {
  scope: Scope;
  /** In any case. */
  authMethod: string;
  /** What a client would send; undefined when the identity is given as it is. */
  bearerToken: string | undefined;
  /** Such as `{"value": {"team": "web"}}`; undefined when it is to be proven. */
  identity: unknown;
}

/** What a token would have. */
export interface ExplainedToken {
  scope: Scope;
  given: Given;
  grants: ResolvedGrants;
}

export interface Explanation {
  method: AuthMethod;
  /** Undefined when it was not proven. */
  identity: VerifiedIdentity | undefined;
  rules: readonly RuleExplanation[];
  /** What a login would answer: either a token or the words of a refusal. */
  token: ExplainedToken | undefined;
  refusal: string | undefined;
}

/**
 * Explains a login: what is known of the identity, each rule of the method with why it gives what it gives, and the token.
 *
 * @throws AppError `forbidden` without acl:read, `not_found`, `invalid` when it is not said whose login
 */
export async function explainLogin(ctx: Context, services: LoginServices, asked: ExplainRequest): Promise<Explanation> {
  const { scope, authMethod } = asked;
  checkPermission(ctx, scope, "acl", "read");
  if ((asked.bearerToken === undefined) === (asked.identity === undefined)) {
    throw new AppError("invalid", "exactly one of BearerToken and Identity must be given");
  }
  const method = await findMethod(ctx.db, scope, authMethod);
  if (method === undefined) throw new AppError("not_found", `cannot find auth method with name ${goQuote(authMethod)}`);
  const validator = await services.validators.of(method);
  const proven = await settle(ctx, () => identityOf(validator, asked));
  if ("refusal" in proven) return { method, identity: undefined, rules: [], token: undefined, ...proven };
  const identity = proven.value;
  const rules = await explainRules(await services.ruleSets.of(method), identity);
  const target = await settle(ctx, () =>
    Promise.resolve(chooseNamespace(method, identity, validator.mapNamespace?.(identity))),
  );
  const bounds = rules.flatMap(({ bound }) => bound ?? []);
  const given = await lookUp(ctx.db, "value" in target ? target.value : scope, bounds, services.datacenter);
  const explained = { method, identity, rules: rules.map((rule) => withoutLink(rule, given)) };
  if ("refusal" in target) return { ...explained, token: undefined, ...target };
  const token = await settle(ctx, () => tokenOf(ctx, method, target.value, rules, given));
  if ("refusal" in token) return { ...explained, token: undefined, ...token };
  return { ...explained, token: token.value, refusal: undefined };
}

/** The result, or the words in which a login would refuse. */
async function settle<T>(ctx: Context, work: () => Promise<T>): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    const refusal = refusalOf(error, ctx);
    if (refusal === undefined) throw error;
    return { refusal: refusal.message };
  }
}

async function identityOf(validator: Validator, { bearerToken, identity }: ExplainRequest): Promise<VerifiedIdentity> {
  if (bearerToken === undefined) return literalIdentity(validator.form, identity);
  checkBearer(bearerToken);
  return validator.verify(bearerToken);
}

/** In the order in which a login looks. */
async function tokenOf(
  { db }: Context,
  { tokenLocality }: AuthMethod,
  scope: Scope,
  rules: readonly RuleExplanation[],
  given: Given,
): Promise<ExplainedToken> {
  const broken = rules.find(({ isRefusal }) => isRefusal);
  if (broken !== undefined) throw new LoginRefused(broken.reason, broken.id);
  if (rules.every(({ bound }) => bound === undefined)) throw new NothingBound();
  await checkTarget(db, scope);
  if (isNothing(given)) throw new NothingBound();
  return { scope, given, grants: await checkLoginGrants(db, scope, given, tokenLocality !== "global") };
}

/** A rule that matches may lead to what is not there. */
function withoutLink(rule: RuleExplanation, { skipped }: Given): RuleExplanation {
  const link = skipped.find(({ ruleId }) => ruleId === rule.id);
  if (link === undefined || link.isBarred) return rule;
  return { ...rule, reason: `gives nothing: there is no ${link.bindType} ${goQuote(link.name)}; ${rule.reason}` };
}

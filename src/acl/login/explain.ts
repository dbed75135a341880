/** What a login would do and why, without doing it. Implements `/v1/acl/login/explain`. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import { IdentityError } from "../../identities/errors.ts";
import { literalIdentity } from "../../identities/literal.ts";
import type { Validator, VerifiedIdentity } from "../../identities/validator.ts";
import { findMethod, type AuthMethod } from "../auth-methods/lookup.ts";
import type { Bound } from "../bindings/compiled-rules.ts";
import { explainRules, type RuleExplanation } from "../bindings/explain-rule.ts";
import { checkPermission } from "../permission.ts";
import type { Scope } from "../scope.ts";
import type { ResolvedGrants } from "../tokens/change.ts";
import { checkLoginGrants } from "../tokens/login.ts";
import { checkTarget, chooseNamespace, isNothing, lookUp, type Given } from "./decide.ts";
import { withMissingLinks } from "./missing-links.ts";
import { checkBearer, NOTHING_BOUND, NothingBound, refusalOf } from "./service.ts";
import type { LoginServices } from "./settings.ts";
import { ttlOf } from "./ttl.ts";

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
  method: AuthMethod;
  /** Nanoseconds that it would live; 0 for ever. */
  ttl: bigint;
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
  if (asked.bearerToken !== undefined) checkBearer(asked.bearerToken);
  const validator = await services.validators.of(method);
  const proven = await identityOf(ctx, validator, asked);
  if ("refusal" in proven) return { method, identity: undefined, rules: [], token: undefined, ...proven };
  const identity = proven.value;
  const compiled = await services.ruleSets.of(method);
  const rules = await explainRules(compiled, identity);
  const target = await settle(ctx, () =>
    chooseNamespace(services.namespaceRules, method, identity, validator.mapNamespace?.(identity)),
  );
  const place = "value" in target ? target.value : method.scope;
  // What there is of roles and policies is for those who may read it.
  checkPermission(ctx, place, "acl", "read");
  const explained = { method, identity, rules: await withMissingLinks(ctx.db, place, rules, services.datacenter) };
  if ("refusal" in target) return { ...explained, token: undefined, ...target };
  const token = await settle(ctx, async () =>
    tokenOf(ctx, services, { method, scope: place, bounds: await compiled.matchingInTurns(identity) }),
  );
  if ("refusal" in token) return { ...explained, token: undefined, ...token };
  return { ...explained, token: token.value, refusal: undefined };
}

/** The result, or the words in which a login would refuse. */
async function settle<T>(ctx: Context, work: () => Promise<T>): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    // What a log would say stands beside it.
    if (error instanceof NothingBound) return { refusal: NOTHING_BOUND };
    const refusal = refusalOf(error, ctx);
    if (refusal === undefined) throw error;
    return { refusal: refusal.message };
  }
}

/** @throws AppError `invalid` for a literal that is none of such an identity: no login would see it */
async function identityOf(
  ctx: Context,
  validator: Validator,
  { bearerToken, identity }: ExplainRequest,
): Promise<{ value: VerifiedIdentity } | { refusal: string }> {
  if (bearerToken !== undefined) return settle(ctx, () => validator.verify(bearerToken));
  try {
    return { value: literalIdentity(validator.form, identity) };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    throw new AppError("invalid", error.message, { cause: error });
  }
}

interface Decided {
  method: AuthMethod;
  scope: Scope;
  bounds: readonly Bound[];
}

/** In the order in which a login looks. */
async function tokenOf(
  { db }: Context,
  { datacenter, defaultTtl }: LoginServices,
  { method, scope, bounds }: Decided,
): Promise<ExplainedToken> {
  if (bounds.length === 0) throw new NothingBound();
  await checkTarget(db, scope);
  const given = await lookUp(db, scope, bounds, datacenter);
  if (isNothing(given)) throw new NothingBound();
  const ttl = ttlOf(method, defaultTtl);
  return {
    method,
    ttl,
    scope,
    given,
    grants: await checkLoginGrants(db, scope, given, method.tokenLocality !== "global"),
  };
}

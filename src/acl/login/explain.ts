/** Explains the result of a login, without logging in. Implements `/v1/acl/login/explain`. */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { IdentityError } from "../../identities/errors.ts";
import { literalIdentity } from "../../identities/literal.ts";
import type { IdentityForm, Validator, VerifiedIdentity } from "../../identities/validator.ts";
import { methodStore, type AuthMethod } from "../auth-methods/store.ts";
import type { BindingRuleContent } from "../bindings/binding.ts";
import { conditionsOfRules, type SelectorConditions } from "../bindings/conditions.ts";
import { explainBindingRules, type BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { ResolvedGrants } from "../tokens/service.ts";
import { checkLoginGrants } from "../tokens/login.ts";
import {
  checkGiven,
  decide,
  give,
  type FinishedTrace,
  type Trace,
  type LinkedGrants,
  withMissingLinks,
  NOTHING_BOUND,
  NothingBound,
  refusalOf,
} from "./decide.ts";
import { explainDraft } from "./draft.ts";
import { checkBearer, ttlOf } from "./service.ts";
import type { LoginServices } from "./services.ts";
import { goQuote } from "../../go/quote.ts";
import type { Scope } from "../../rights/scope.ts";

/** Login to explain. */
export interface ExplainRequest {
  scope: Scope;
  /** In any case. */
  authMethod: string;
  /** Credential that a client would send; undefined when the request contains the identity itself. */
  bearerToken: string | undefined;
  /** Identity, such as `{"value": {"team": "web"}}`; undefined when the login must prove it. */
  identity: unknown;
  /** Rule that is not written yet. It is evaluated besides the rules of the method, and grants nothing. */
  draft: BindingRuleContent | undefined;
}

/** Properties that the token would have. */
export interface ExplainedToken {
  method: AuthMethod;
  /** TTL in nanoseconds; 0: never expires. */
  ttl: bigint;
  scope: Scope;
  given: LinkedGrants;
  grants: ResolvedGrants;
}

export interface ExplainedLogin {
  method: AuthMethod;
  /** Undefined when it was not proven. */
  identity: VerifiedIdentity | undefined;
  bindingRules: readonly BindingRuleExplanation[];
  /** Conditions of the rules that did not match, by rule ID. */
  conditions: ReadonlyMap<string, SelectorConditions>;
  /** Explanation of the draft in the request, when the identity is known. */
  draft: BindingRuleExplanation | undefined;
  /** Result of a login: either a token or the message of a denial. */
  token: ExplainedToken | undefined;
  refusal: string | undefined;
}

/**
 * Explains a login: the known identity, each rule of the method with the reason of its result, and the token.
 *
 * @throws AppError `forbidden` without acl:read, `not_found`, `invalid` when it is not said whose login
 */
export async function explainLogin(
  ctx: Context,
  services: LoginServices,
  asked: ExplainRequest,
): Promise<ExplainedLogin> {
  const { scope, authMethod } = asked;
  checkPermission(ctx, scope, "acl", "read");
  if ((asked.bearerToken === undefined) === (asked.identity === undefined)) {
    throw invalid("Set exactly one of BearerToken and Identity");
  }
  const method = await methodStore.byName(ctx.db, scope, authMethod);
  if (method === undefined) throw new AppError("not_found", `cannot find auth method with name ${goQuote(authMethod)}`);
  if (asked.bearerToken !== undefined) checkBearer(asked.bearerToken);
  const validator = await services.validators.of(method);
  const proven = await identityOf(ctx, validator, asked);
  if ("refusal" in proven) return { ...NOTHING_KNOWN, method, ...proven };
  const identity = proven.value;
  const trace: Trace & { identity: VerifiedIdentity } = { method, identity };
  const decided = await settle(ctx, trace, () => decide(ctx.db, services, trace));
  const place = trace.target ?? method.scope;
  // Only callers who may read roles and policies may learn which exist.
  checkPermission(ctx, place, "acl", "read");
  const compiled = trace.bindingRules ?? (await services.bindingRuleSets.of(method));
  const bindingRules = await explainBindingRules(compiled, identity);
  const explained = {
    method,
    identity,
    bindingRules: await withMissingLinks(ctx.db, place, bindingRules, services.datacenter),
    conditions: await conditionsOfRules(compiled, identity, bindingRules),
    draft: await draftOf(ctx, services, asked, { identity, place, form: validator.form }),
  };
  if ("refusal" in decided) return { ...explained, token: undefined, ...decided };
  const token = await settle(ctx, trace, () => tokenOf(ctx, services, decided.value));
  if ("refusal" in token) return { ...explained, token: undefined, ...token };
  return { ...explained, token: token.value, refusal: undefined };
}

/** Result for an identity that was not proven, or a method without rules. */
export const NOTHING_KNOWN: Readonly<Omit<ExplainedLogin, "method" | "refusal">> = {
  identity: undefined,
  bindingRules: [],
  conditions: new Map(),
  draft: undefined,
  token: undefined,
};

async function draftOf(
  ctx: Context,
  { regularExpressions, datacenter }: LoginServices,
  { draft }: ExplainRequest,
  { identity, place, form }: { identity: VerifiedIdentity; place: Scope; form: IdentityForm },
): Promise<BindingRuleExplanation | undefined> {
  if (draft === undefined) return undefined;
  const explained = await explainDraft(draft, identity, form, regularExpressions);
  const [linked = explained] = await withMissingLinks(ctx.db, place, [explained], datacenter);
  return linked;
}

/** The result, or the words in which a login would refuse. */
async function settle<T>(
  ctx: Context,
  { bounds }: Pick<Trace, "bounds">,
  work: () => Promise<T>,
): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    // The answer contains the details of a log line besides this text.
    if (error instanceof NothingBound) return { refusal: NOTHING_BOUND };
    const refusal = refusalOf(error, ctx, bounds);
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
  if (bearerToken !== undefined) return settle(ctx, {}, () => validator.verify(bearerToken));
  try {
    return { value: literalIdentity(validator.form, identity) };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    throw new AppError("invalid", error.message, { cause: error });
  }
}

async function tokenOf({ db }: Context, services: LoginServices, decided: FinishedTrace): Promise<ExplainedToken> {
  const { method, target } = decided;
  const given = await give(db, services, decided);
  checkGiven(given);
  const ttl = ttlOf(method, services.defaultTtl);
  const grants = await checkLoginGrants(db, target, given, method.tokenLocality !== "global");
  return { method, ttl, scope: target, given, grants };
}

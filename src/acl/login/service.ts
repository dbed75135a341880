/**
 * Logins: an identity that an auth method proves becomes a token with what the
 * binding rules say. Implements `/v1/acl/login`. Everything is decided before
 * the transaction, which only reads again what that rests on.
 */
import { AppError } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import { IdentityError, ProviderError } from "../../identities/errors.ts";
import { RedirectUriError } from "../../identities/oidc/redirect-uri.ts";
import type { ProvenIdentity, Validator } from "../../identities/validator.ts";
import type { Transaction } from "../../storage/database.ts";
import { findMethod, findMethodById, type AuthMethod } from "../auth-methods/lookup.ts";
import type { Bound, CompiledRules } from "../bindings/compiled-rules.ts";
import { LoginRefused } from "../bindings/login-refused.ts";
import { findRule } from "../binding-rules/lookup.ts";
import { fold } from "../rules/fold.ts";
import { isIn, type Scope } from "../scope.ts";
import { insertLoginToken, newLoginToken, type NewLoginToken } from "../tokens/login.ts";
import type { LinkedToken } from "../tokens/service.ts";
import { changePrepared, Outdated } from "../write.ts";
import { checkTarget, chooseNamespace, isNothing, lookUp } from "./decide.ts";
import { describeLogin } from "./description.ts";
import { identityKey } from "./failure-key.ts";
import { checkTokensOf, useOnce } from "./once.ts";
import type { LoginContext, LoginServices } from "./settings.ts";
import { ttlOf } from "./ttl.ts";

/** What a login asks for. */
export interface LoginRequest {
  /** Where the auth method lies, and its name in any case. */
  scope: Scope;
  authMethod: string;
  /** As it was sent; empty where it is something else that proves. */
  bearerToken: string;
  /** What the description of the token begins with. */
  how: "login" | "OIDC login";
  /** What the client says of the login; known once the identity is proven. */
  meta(): Readonly<Record<string, string>>;
  /** Proves who it is, once: a code of a provider counts only once. */
  prove(method: AuthMethod, validator: Validator): Promise<ProvenIdentity>;
}

const MAX_BEARER_BYTES = 32 * 1024;

/** @throws AppError `invalid` on a credential that is longer than any */
export function checkBearer(bearerToken: string): void {
  if (Buffer.byteLength(bearerToken) <= MAX_BEARER_BYTES) return;
  throw new AppError("invalid", `BearerToken is longer than ${MAX_BEARER_BYTES} bytes`);
}

/** How far a login came, for who asks why it went no further. */
export interface Progress {
  method: AuthMethod;
  identity?: ProvenIdentity;
  rules?: CompiledRules;
  /** Where the token was to lie. */
  target?: Scope;
}

/**
 * Logs in.
 *
 * @throws AppError `forbidden` when the method does not exist, the identity is not proven, or it is given nothing;
 * `invalid` when it is given more than a token may have;
 * `rate_limited` after too many logins or refusals; `unavailable` when the identity cannot be proven now
 */
export async function login(ctx: LoginContext, services: LoginServices, request: LoginRequest): Promise<LinkedToken> {
  const method = await findLoginMethod(ctx, request);
  const progress: Progress = { method };
  let first: AuthMethod | undefined = method;
  const current = async (): Promise<AuthMethod> => {
    const known = first ?? (await findLoginMethod(ctx, request));
    first = undefined;
    return known;
  };
  try {
    return await changePrepared(
      ctx,
      method.scope,
      `login by ${fold(method.name)}`,
      async () => decide(ctx, services, request, progress, await current()),
      (tx, _change, decision) => issue(ctx, tx, services, decision),
    );
  } catch (error) {
    const refusal = refusalOf(error, ctx);
    if (refusal === undefined) throw error;
    if (refusal.code === "forbidden") await countFailure(ctx, services, request, progress);
    const ruleId = error instanceof LoginRefused ? error.ruleId : undefined;
    await services.refusals.note(ctx, progress, { reason: refusal.message, ruleId });
    throw refusal;
  }
}

/** Only what was refused is counted, and what can be proven is never refused for it. */
async function countFailure(
  { address }: LoginContext,
  { limits, validators }: LoginServices,
  { bearerToken }: LoginRequest,
  { method }: Progress,
): Promise<void> {
  const validator = await validators.of(method);
  limits.failed(method.id, address, validator.claimedSubject(bearerToken));
}

/** @throws AppError `forbidden` */
export async function findLoginMethod(
  { db }: Pick<LoginContext, "db">,
  { scope, authMethod }: Pick<LoginRequest, "scope" | "authMethod">,
): Promise<AuthMethod> {
  const method = await findMethod(db, scope, authMethod);
  if (method !== undefined) return method;
  throw new AppError("forbidden", `ACL not found: auth method ${goQuote(authMethod)} not found`);
}

/** What was decided before the transaction. */
interface Decision {
  method: AuthMethod;
  target: Scope;
  rules: CompiledRules;
  bounds: readonly Bound[];
  token: NewLoginToken;
  identity: ProvenIdentity;
}

async function decide(
  ctx: LoginContext,
  services: LoginServices,
  request: LoginRequest,
  progress: Progress,
  method: AuthMethod,
): Promise<Decision> {
  const validator = await services.validators.of(method);
  // The same configuration proves the same.
  if (progress.identity === undefined || progress.method.configSealed !== method.configSealed) {
    progress.identity = await services.limits.verify(method.id, ctx.address, () => request.prove(method, validator));
    services.limits.proven(method.id, identityKey(method.id, progress.identity.subject));
  }
  progress.method = method;
  const { identity } = progress;
  const target = await chooseNamespace(services.namespaceRules, method, identity, validator.mapNamespace?.(identity));
  progress.target = target;
  const rules = await services.ruleSets.of(method);
  progress.rules = rules;
  const bounds = await rules.matchingInTurns(identity);
  if (bounds.length === 0) throw new NothingBound();
  // Another one is asked about in the transaction, which is in the method's own, and refused as a write there.
  if (isIn(target, method.scope)) await checkTarget(ctx.db, target);
  const { id, name, scope, tokenLocality } = method;
  const input = {
    methodId: id,
    identity: identityKey(id, identity.subject),
    authMethod: name,
    authMethodNamespace: scope.namespace,
    isLocal: tokenLocality !== "global",
    ttl: ttlOf(method, services.defaultTtl),
    description: describeLogin(request.how, request.meta()),
  };
  return { method, target, rules, bounds, identity, token: await newLoginToken(ctx.db, input, ctx.now()) };
}

async function issue(
  ctx: LoginContext,
  tx: Transaction,
  { datacenter, limits }: LoginServices,
  decision: Decision,
): Promise<LinkedToken> {
  const { method, target, bounds, token, identity } = decision;
  const [current, given] = await Promise.all([
    findMethodById(tx, method.id),
    lookUp(tx, target, bounds, datacenter),
    isIn(target, method.scope) ? undefined : checkTarget(tx, target),
    checkTokensOf(tx, token.base.loginIdentity, limits.tokensPerIdentity, ctx.now()),
    useOnce(tx, method.id, identity.singleUse),
  ]);
  if (current?.modifyIndex !== method.modifyIndex) throw new Outdated();
  if (current.rulesIndex !== method.rulesIndex && !(await areUnchanged(tx, decision))) throw new Outdated();
  if (isNothing(given)) throw new NothingBound();
  return insertLoginToken(tx, target, token, given);
}

/**
 * Whether the rules that give something are still what they were. While others come and go all the time, as they do when
 * rules are written by the thousand, what was decided stands: it was right after the login had begun.
 */
async function areUnchanged(tx: Transaction, { method, rules, bounds }: Decision): Promise<boolean> {
  const giving = new Set(bounds.map(({ ruleId }) => ruleId));
  const read = rules.rules.filter(({ id }) => giving.has(id));
  const found = await Promise.all(read.map(({ id }) => findRule(tx, method.scope, id)));
  return found.every((rule, index) => rule?.modifyIndex === read[index]?.modifyIndex);
}

/** What is said when no rule gives anything; it gives away nothing of the rules. */
export const NOTHING_BOUND = "Permission denied: the identity was verified, but no binding rule gives it anything";

/** No rule gives the identity anything that there is. */
export class NothingBound extends Error {}

/** What the client is told of a failure; undefined when it is none of a login. */
export function refusalOf(error: unknown, { requestId }: Pick<LoginContext, "requestId">): AppError | undefined {
  const isRefused = [IdentityError, RedirectUriError, LoginRefused].some((kind) => error instanceof kind);
  if (error instanceof Error && isRefused) return new AppError("forbidden", error.message);
  // More than a token may have, or what none may have where it lies.
  if (error instanceof AppError && error.code === "invalid") return error;
  if (error instanceof ProviderError) return new AppError("unavailable", error.message);
  if (!(error instanceof NothingBound)) return undefined;
  return new AppError("forbidden", `${NOTHING_BOUND}; the log of the server says why (request ${requestId})`);
}

/**
 * Logins: an identity that an auth method proves becomes a token with what the
 * binding rules say. Implements `/v1/acl/login`. Everything is decided before
 * the transaction, which only reads again what that rests on.
 */
import { AppError } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import type { ProvenIdentity, Validator } from "../../identities/validator.ts";
import type { Transaction } from "../../storage/database.ts";
import { findMethod, findMethodById, type AuthMethod } from "../auth-methods/store.ts";
import { LoginRefused } from "../bindings/login-refused.ts";
import { findBindingRule } from "../binding-rules/store.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";
import { insertLoginToken, newLoginToken, type NewLoginToken } from "../tokens/login.ts";
import type { LinkedToken } from "../tokens/reads.ts";
import { changePrepared, Outdated } from "../write.ts";
import type { LoginContext } from "./context.ts";
import { checkGiven, decide, give, type Decided, type Trace } from "./decide.ts";
import { describeLogin } from "./description.ts";
import { identityKey } from "./failure-key.ts";
import { checkTokensOf, useOnce } from "./once.ts";
import { refusalOf } from "./refusal.ts";
import type { LoginServices } from "./services.ts";
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

/**
 * Logs in.
 *
 * @throws AppError `forbidden` when the method does not exist, the identity is not proven, or it is given nothing;
 * `invalid` when it is given more than a token may have;
 * `rate_limited` after too many logins or refusals; `unavailable` when the identity cannot be proven now
 */
export async function login(ctx: LoginContext, services: LoginServices, request: LoginRequest): Promise<LinkedToken> {
  const method = await findLoginMethod(ctx, request);
  let trace: ProvenTrace = { method };
  let first: AuthMethod | undefined = method;
  const prepare = async (): Promise<Prepared> => {
    const current = first ?? (await findLoginMethod(ctx, request));
    first = undefined;
    const identity = await prove(ctx, services, request, trace, current);
    const proven = (trace = { method: current, identity });
    const decided = await decide(ctx.db, services, proven);
    return { ...decided, token: await newToken(ctx, services, request, decided) };
  };
  const work = (tx: Transaction, _change: unknown, prepared: Prepared) => issue(ctx, tx, services, prepared);
  try {
    return await changePrepared(ctx, method.scope, `login by ${fold(method.name)}`, prepare, work);
  } catch (error) {
    const refusal = refusalOf(error, ctx);
    if (refusal === undefined) throw error;
    if (refusal.code === "forbidden") await countFailure(ctx, services, request, trace);
    const bindingRuleId = error instanceof LoginRefused ? error.bindingRuleId : undefined;
    await services.refusals.note(ctx, trace, { reason: refusal.message, bindingRuleId });
    throw refusal;
  }
}

interface ProvenTrace extends Trace {
  identity?: ProvenIdentity;
}

/** What was decided before the transaction. */
interface Prepared extends Decided {
  identity: ProvenIdentity;
  token: NewLoginToken;
}

/** Proves who it is, unless that was done by the same configuration: that proves the same. */
async function prove(
  { address }: LoginContext,
  { validators, limits }: LoginServices,
  request: LoginRequest,
  { method: before, identity: known }: ProvenTrace,
  method: AuthMethod,
): Promise<ProvenIdentity> {
  if (known !== undefined && before.configSealed === method.configSealed) return known;
  const validator = await validators.of(method);
  const identity = await limits.verify(method.id, address, () => request.prove(method, validator));
  limits.proven(method.id, identityKey(method.id, identity.subject));
  return identity;
}

/** Only what was refused is counted, and what can be proven is never refused for it. */
async function countFailure(
  { address }: LoginContext,
  { limits, validators }: LoginServices,
  { bearerToken }: LoginRequest,
  { method }: Trace,
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

function newToken(
  { db, now }: LoginContext,
  { defaultTtl }: LoginServices,
  { how, meta }: LoginRequest,
  { method, identity }: Pick<Prepared, "method" | "identity">,
): Promise<NewLoginToken> {
  const { id, name, scope, tokenLocality } = method;
  const input = {
    methodId: id,
    identity: identityKey(id, identity.subject),
    authMethod: name,
    authMethodNamespace: scope.namespace,
    isLocal: tokenLocality !== "global",
    ttl: ttlOf(method, defaultTtl),
    description: describeLogin(how, meta()),
  };
  return newLoginToken(db, input, now());
}

async function issue(
  ctx: LoginContext,
  tx: Transaction,
  services: LoginServices,
  prepared: Prepared,
): Promise<LinkedToken> {
  const { method, target, token, identity } = prepared;
  const [current, given] = await Promise.all([
    findMethodById(tx, method.id),
    give(tx, services, prepared),
    checkTokensOf(tx, token.base.loginIdentity, services.limits.tokensPerIdentity, ctx.now()),
    useOnce(tx, method.id, identity.singleUse),
  ]);
  if (current?.modifyIndex !== method.modifyIndex) throw new Outdated();
  if (current.rulesIndex !== method.rulesIndex && !(await areUnchanged(tx, prepared))) throw new Outdated();
  checkGiven(given);
  return insertLoginToken(tx, target, token, given);
}

/**
 * Whether the rules that give something are still what they were. While others come and go all the time, as they do when
 * rules are written by the thousand, what was decided stands: it was right after the login had begun.
 */
async function areUnchanged(tx: Transaction, { method, bindingRules, bounds }: Decided): Promise<boolean> {
  const giving = new Set(bounds.map(({ bindingRuleId }) => bindingRuleId));
  const read = bindingRules.bindingRules.filter(({ id }) => giving.has(id));
  const found = await Promise.all(read.map(({ id }) => findBindingRule(tx, method.scope, id)));
  return found.every((bindingRule, index) => bindingRule?.modifyIndex === read[index]?.modifyIndex);
}

/**
 * Logins: an identity that an auth method proves becomes a token with what the
 * binding rules say. Implements `/v1/acl/login`. Everything is decided before
 * the transaction, which only reads again what that rests on.
 */
import { goQuote } from "../../go/quote.ts";
import type { ProvenIdentity, Validator, SingleUse } from "../../identities/validator.ts";
import { methodStore, type AuthMethod } from "../auth-methods/store.ts";
import { isOfNodes, LoginRefused } from "../bindings/binding.ts";
import { bindingRuleStore } from "../binding-rules/store.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { insertLoginToken, newLoginToken, type NewLoginToken } from "../tokens/login.ts";
import type { LinkedToken } from "../tokens/linked.ts";
import { changePrepared, Outdated } from "../kit/write.ts";
import {
  type LoginContext,
  checkGiven,
  decide,
  give,
  type FinishedTrace,
  type LinkedGrants,
  type Trace,
  reasonOf,
  refusalOf,
} from "./decide.ts";
import type { LoginServices } from "./services.ts";
import { OIDC } from "../auth-methods/validators.ts";
import { IdentityError } from "../../identities/errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { hasTokensOfIdentity } from "../tokens/identity-store.ts";
import { identityKey } from "./limits.ts";
import { findUsedState, insertUsedState } from "./oidc-store.ts";
import { AppError, invalid } from "../../errors.ts";
import { refusedLogin, refusedMethod, shownSubject } from "./refused-login.ts";

/** Request to log in. */
export interface LoginRequest {
  /** Scope of the auth method; `authMethod` is its name, in any case. */
  scope: Scope;
  authMethod: string;
  /** Bearer token as sent; empty when something else proves the identity. */
  bearerToken: string;
  /** Beginning of the token's description. */
  how: "login" | "OIDC login";
  /** Metadata that the client adds to the login; known once the identity is proven. */
  meta(): Readonly<Record<string, string>>;
  /** Proves the identity, once: a code of a provider is valid only once. */
  prove(method: AuthMethod, validator: Validator): Promise<ProvenIdentity>;
}

const MAX_BEARER_BYTES = 32 * 1024;

/** @throws AppError `invalid` on a credential that is longer than any */
export function checkBearer(bearerToken: string): void {
  if (Buffer.byteLength(bearerToken) <= MAX_BEARER_BYTES) return;
  throw invalid(`BearerToken is longer than ${MAX_BEARER_BYTES} bytes`);
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
    const refusal = refusalOf(error, ctx, trace.bounds);
    if (refusal === undefined) throw error;
    // An unavailable provider denies no login.
    if (refusal.code !== "unavailable") await noteRefused(ctx, services, request, trace, error as Error, refusal);
    const bindingRuleId = error instanceof LoginRefused ? error.bindingRuleId : undefined;
    await services.refusals.note(ctx, trace, { reason: refusal.message, bindingRuleId });
    throw refusal;
  }
}

interface ProvenTrace extends Trace {
  identity?: ProvenIdentity;
}

/** Decision and token, prepared before the transaction. */
interface Prepared extends FinishedTrace {
  identity: ProvenIdentity;
  token: NewLoginToken;
}

/** Proves the identity, unless this configuration has already proven it: the result would be equal. */
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

/**
 * Says for the records what was refused, and counts it: only what was refused is counted, and what can be proven is never
 * refused for it.
 *
 * @param refusal what the client is told
 * @throws AppError `rate_limited` in its place, when there were too many
 */
async function noteRefused(
  { address }: LoginContext,
  { limits, validators }: LoginServices,
  { bearerToken }: LoginRequest,
  { method, identity }: ProvenTrace,
  error: Error,
  refusal: AppError,
): Promise<void> {
  const claimed = (await validators.of(method)).claimedSubject(bearerToken);
  const refused = refusedLogin(method, identity?.subject ?? claimed, error);
  refusal.refused = refused;
  if (refusal.code !== "forbidden") return;
  try {
    limits.failed(method.id, address, claimed);
  } catch (tooMany) {
    if (tooMany instanceof AppError) tooMany.refused = refused;
    throw tooMany;
  }
}

/** @throws AppError `forbidden` */
export async function findLoginMethod(
  { db }: Pick<LoginContext, "db">,
  { scope, authMethod }: Pick<LoginRequest, "scope" | "authMethod">,
): Promise<AuthMethod> {
  const method = await methodStore.byName(db, scope, authMethod);
  if (method !== undefined) return method;
  const refused = refusedMethod(scope);
  throw new AppError("forbidden", `ACL not found: auth method ${goQuote(authMethod)} not found`, { refused });
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
    methodStore.anywhere(tx, method.id),
    give(tx, services, prepared),
    checkTokensOf(tx, token.base.loginIdentity, services.limits.tokensPerIdentity, ctx.now()),
    useOnce(tx, method.id, identity.singleUse),
  ]);
  if (current?.modifyIndex !== method.modifyIndex) throw new Outdated();
  if (current.rulesIndex !== method.rulesIndex && !(await areUnchanged(tx, prepared))) throw new Outdated();
  checkGiven(given);
  const rules = prepared.bounds.map(({ bindingRuleId }) => bindingRuleId);
  const why = { subject: shownSubject(identity.subject), bindingRules: rules };
  return insertLoginToken(tx, target, token, given, { ...why, ...passedOver(given) });
}

/** Maximum number of rules that a record names. */
const MOST_TOLD = 20;

/** Rules that cannot grant anything in the scope of the token, with the reason, for the record of a login. */
function passedOver({ skipped }: LinkedGrants): object {
  const misplaced = skipped.filter(isOfNodes).slice(0, MOST_TOLD);
  if (misplaced.length === 0) return {};
  return { passedOver: misplaced.map((bound) => ({ bindingRule: bound.bindingRuleId, reason: reasonOf(bound) })) };
}

/**
 * Whether the rules that give something are still what they were. While others come and go all the time, as they do when
 * rules are written by the thousand, what was decided stands: it was right after the login had begun.
 */
async function areUnchanged(tx: Transaction, { method, bindingRules, bounds }: FinishedTrace): Promise<boolean> {
  const giving = new Set(bounds.map(({ bindingRuleId }) => bindingRuleId));
  const read = bindingRules.bindingRules.filter(({ id }) => giving.has(id));
  const found = await bindingRuleStore.all(
    tx,
    method.scope,
    read.map(({ id }) => id),
  );
  const indexes = new Map(found.map(({ id, modifyIndex }) => [id, modifyIndex]));
  return read.every(({ id, modifyIndex }) => indexes.get(id) === modifyIndex);
}

/** Nanoseconds that a token lives whose method and whose server say nothing. */
const STANDARD_TTL = 24n * 60n * 60n * 1_000_000_000n;

/**
 * Types whose identities are temporary, such as runs of a pipeline, and log in again. Identities of other types log in
 * at their start and run without a limit of time: their clients do not know how to log in again.
 */
const EXPIRING: ReadonlySet<string> = new Set(["jwt", OIDC]);

/**
 * How long the tokens of a method live, in nanoseconds; 0 for ever.
 *
 * @param standard what the server was told for methods that do not say it; undefined for nothing
 */
export function ttlOf(
  { maxTokenTtl, type }: Pick<AuthMethod, "maxTokenTtl" | "type">,
  standard: bigint | undefined,
): bigint {
  if (maxTokenTtl !== 0n) return maxTokenTtl;
  return standard ?? (EXPIRING.has(type) ? STANDARD_TTL : 0n);
}

/** Nothing says when one of the tokens ends. */
const RETRY_SECONDS = 60;

/**
 * No token is taken away for a new one: those who share an identity, such as the copies of a service, would end each other's.
 *
 * @param most 0 for any number
 * @param now milliseconds since the epoch
 * @throws AppError `rate_limited` when the identity has so many living tokens
 */
export async function checkTokensOf(tx: Transaction, identity: string, most: number, now: number): Promise<void> {
  if (most === 0 || !(await hasTokensOfIdentity(tx, identity, most, now))) return;
  const text = `This identity already has ${most} active login tokens, the maximum`;
  throw new AppError("rate_limited", `${text}. Log out, or wait until one expires`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/**
 * Notes that a credential was used that counts once; the note goes when it proves nothing any more.
 *
 * @throws IdentityError when it was used before
 */
export async function useOnce(tx: Transaction, methodId: string, singleUse: SingleUse | undefined): Promise<void> {
  if (singleUse === undefined) return;
  const id = `jti/${identityKey(methodId, singleUse.id)}`;
  if ((await findUsedState(tx, id)) !== undefined) {
    throw new IdentityError('the token was already used (JWTReplay "once")');
  }
  insertUsedState(tx, { id, expires_at: singleUse.until });
}

/** More does not go into a description, and every login keeps one. */
const MOST_BYTES = 8 * 1024;

/** @throws AppError `invalid` when it takes too much as it is stored: Go writes six characters for each of some */
export function checkMeta(meta: Readonly<Record<string, string>>): void {
  if (Buffer.byteLength(jsonOf(meta)) <= MOST_BYTES) return;
  throw invalid(`Meta is longer than ${MOST_BYTES} bytes`);
}

/** @param meta what the client says of the login; it is shown with its keys in order, as Go writes JSON */
export function describeLogin(how: "login" | "OIDC login", meta: Readonly<Record<string, string>>): string {
  const text = `token created via ${how}`;
  return Object.keys(meta).length === 0 ? text : `${text}: ${jsonOf(meta)}`;
}

function jsonOf(meta: Readonly<Record<string, string>>): string {
  // By bytes, as Go does: by code units characters beyond the first plane would come too early.
  const keys = Object.keys(meta).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const members = keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(meta[key])}`);
  return `{${members.join(",").replaceAll(/[<>&\u2028\u2029]/g, escaped)}}`;
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

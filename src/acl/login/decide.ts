/**
 * Decides the result of a login. The decision is made here once, in two steps, and each leaves its trace: a login acts
 * on it, `explain.ts` shows it, `refusal-log.ts` writes it to the log for the operator.
 */
import type { FastifyBaseLogger } from "fastify";
import type { BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";
import { fold } from "../../fold.ts";
import { goQuote } from "../../go/quote.ts";
import type { MappedNamespace, VerifiedIdentity } from "../../identities/validator.ts";
import type { KeptNamespaceRules } from "../auth-methods/namespace-rules.ts";
import type { AuthMethod } from "../auth-methods/store.ts";
import type { LoginGrants } from "../tokens/login.ts";
import type { Validators } from "../auth-methods/validators.ts";
import type { Bound, CompiledBindingRules } from "../bindings/compiled-binding-rules.ts";
import { checkLiving } from "../namespaces/living.ts";
import { DEFAULT_SCOPE, isIn, isScopeName, type Scope } from "../../rights/scope.ts";
import type { BindingRuleSets } from "./binding-rule-sets.ts";
import type { Database, Reader } from "../../storage/database.ts";
import type { NamedLink } from "../kit/links.ts";
import { isBuiltin as isBuiltinPolicy } from "../policies/builtin.ts";
import { findIds } from "../kit/link-store.ts";
import { AppError } from "../../errors.ts";
import { IdentityError, ProviderError } from "../../identities/errors.ts";
import { RedirectUriError } from "../../identities/oidc/oidc-validator.ts";
import { isOfNodes, LoginRefused } from "../bindings/binding.ts";

/** Context of a login: the caller is not known yet. */
export interface LoginContext {
  db: Database;
  requestId: string;
  log: FastifyBaseLogger;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Address from which the request comes. */
  address: string;
}

/** Dependencies of a decision besides the identity. */
export interface Deciding {
  validators: Validators;
  namespaceRules: KeptNamespaceRules;
  bindingRuleSets: BindingRuleSets;
  datacenter: string;
}

/** Progress of a login. Members of steps that it did not reach are undefined. */
export interface Trace {
  method: AuthMethod;
  identity?: VerifiedIdentity;
  /** Scope in which the token is to be created. */
  target?: Scope;
  bindingRules?: CompiledBindingRules;
  /** Grants of the rules that match. */
  bounds?: readonly Bound[];
}

/** Complete trace: the login gets a token, if the objects that the rules grant exist. */
export type FinishedTrace = Required<Trace>;

/**
 * Decides the scope and the grants of an identity's token, before any other request waits for it.
 *
 * @param trace with the identity; the steps that were taken are noted in it, also when one refuses
 * @throws {LoginRefused}
 * @throws {NothingBound}
 */
export async function decide<I extends VerifiedIdentity>(
  db: Reader,
  { validators, namespaceRules, bindingRuleSets }: Omit<Deciding, "datacenter">,
  trace: Trace & { identity: I },
): Promise<FinishedTrace & { identity: I }> {
  const { method, identity } = trace;
  const validator = await validators.of(method);
  const target = (trace.target = await chooseNamespace(
    namespaceRules,
    method,
    identity,
    validator.mapNamespace?.(identity),
  ));
  const bindingRules = (trace.bindingRules = await bindingRuleSets.of(method));
  const bounds = (trace.bounds = await bindingRules.matchingInTurns(identity));
  if (bounds.length === 0) throw new NothingBound();
  // Another one is asked about in the second step, whose transaction is in the method's own, and refused as a write there.
  if (isIn(target, method.scope)) await checkTarget(db, target);
  return { method, identity, target, bindingRules, bounds };
}

/**
 * Looks up what a token is given, as of now: in the transaction that makes it, or for who asks what it would be.
 *
 * @throws {LoginRefused} when no token can lie there
 */
export async function give(
  db: Reader,
  { datacenter }: Pick<Deciding, "datacenter">,
  { method, target, bounds }: Pick<FinishedTrace, "method" | "target" | "bounds">,
): Promise<LinkedGrants> {
  const [given] = await Promise.all([
    lookUp(db, target, bounds, datacenter),
    isIn(target, method.scope) ? undefined : checkTarget(db, target),
  ]);
  return given;
}

/** @throws {NothingBound} when that is nothing at all */
export function checkGiven(given: LinkedGrants): void {
  if (isNothing(given)) throw new NothingBound();
}

/**
 * Returns the scope for the token of an identity. Does not check whether the namespace exists.
 *
 * @param mapped the namespace that the configuration of the method leads to, if it does
 * @throws {LoginRefused} when a rule cannot be evaluated, the name is invalid, or the identity computes the name
 * `default`
 */
async function chooseNamespace(
  kept: KeptNamespaceRules,
  method: AuthMethod,
  identity: VerifiedIdentity,
  mapped: MappedNamespace | undefined,
): Promise<Scope> {
  const { scope, namespaceRules } = method;
  const compiled = namespaceRules.length === 0 ? undefined : await kept.of(method);
  const chosen = (await compiled?.choose(identity)) ?? mapped;
  const { name, isComputed } = chosen ?? { name: scope.namespace, isComputed: false };
  const namespace = fold(name);
  // `default` may hold what has power over the others: no identity gets there by the name that it has.
  if (!isScopeName(namespace) || (isComputed && namespace === DEFAULT_SCOPE.namespace)) throw missingNamespace(name);
  return namespace === scope.namespace ? scope : { partition: scope.partition, namespace };
}

/** The refusal of a login into a namespace that there is not. */
export function missingNamespace(name: string): LoginRefused {
  return new LoginRefused(`Namespace ${goQuote(name)} does not exist`, undefined);
}

/** @throws {LoginRefused} when nothing can be written there, so that no token can */
async function checkTarget(db: Reader, target: Scope): Promise<void> {
  try {
    await checkLiving(db, target);
  } catch (error) {
    if (error instanceof AppError) throw new LoginRefused(error.message, undefined, { cause: error });
    throw error;
  }
}

/** Grants of the rules, with their links looked up. */
export interface LinkedGrants extends LoginGrants {
  /**
   * Bounds without effect: for nodes, in a namespace without nodes; links to missing objects; barred links, which a
   * computed name must not reach.
   */
  skipped: readonly Bound[];
}

/** Looks up the links of rules in the scope of the token. */
export async function lookUp(
  db: Reader,
  scope: Scope,
  bounds: readonly Bound[],
  datacenter: string,
): Promise<LinkedGrants> {
  // Nodes are in the default namespace only. Grants for nodes deny nothing: to skip them widens no permission.
  const misplaced = scope.namespace === DEFAULT_SCOPE.namespace ? [] : bounds.filter(isOfNodes);
  const of = (type: Bound["bindType"]) => bounds.filter((each) => each.bindType === type && !misplaced.includes(each));
  const [roles, policies] = await Promise.all([
    linksOf(of("role"), (names) => findIds(db, "roles", scope, names)),
    linksOf(of("policy"), (names) => findIds(db, "policies", scope, names), isBuiltinPolicy),
  ]);
  return {
    identities: {
      serviceIdentities: of("service").map(({ name }) => ({ serviceName: name, datacenters: [] })),
      nodeIdentities: of("node").map(({ name }) => ({ nodeName: name, datacenter })),
      templatedPolicies: of("templated-policy").map(({ name, variableName }) => ({
        templateName: name,
        variableName,
        datacenters: [],
      })),
    },
    policies: policies.links,
    roles: roles.links,
    skipped: [...misplaced, ...roles.skipped, ...policies.skipped],
  };
}

/** Whether it is anything at all. */
export function isNothing({ identities, policies, roles }: LinkedGrants): boolean {
  const { serviceIdentities, nodeIdentities, templatedPolicies } = identities;
  return [serviceIdentities, nodeIdentities, templatedPolicies, policies, roles].every((list) => list.length === 0);
}

/** Whether it is looked up where the token lies. */
export function isLink({ bindType }: Bound): boolean {
  return bindType === "role" || bindType === "policy";
}

/**
 * Finds the targets of bindings of one type, each once.
 *
 * @param find by names in lower case
 * @param isBarred by IDs, whether a computed name must not reach the target: its name does not matter, since an
 * operator may have renamed it
 */
async function linksOf(
  bounds: readonly Bound[],
  find: (names: string[]) => Promise<ReadonlyMap<string, NamedLink>>,
  isBarred: (id: string) => boolean = () => false,
): Promise<{ links: NamedLink[]; skipped: Bound[] }> {
  const asked = bounds.flatMap((bound) => (bound.isBarred ? [] : [fold(bound.name)]));
  const found = asked.length === 0 ? new Map<string, NamedLink>() : await find(asked);
  const links = new Map<string, NamedLink>();
  const skipped: Bound[] = [];
  for (const bound of bounds) {
    const link = bound.isBarred ? undefined : found.get(fold(bound.name));
    const isOutOfReach = bound.isBarred || (link !== undefined && bound.isComputed && isBarred(link.id));
    if (link === undefined || isOutOfReach) skipped.push({ ...bound, isBarred: isOutOfReach });
    else links.set(link.id, link);
  }
  return { links: [...links.values()], skipped };
}

/** Message when no rule grants anything. It contains nothing about the rules. */
export const NOTHING_BOUND = "Permission denied: the identity was verified, but no binding rule grants it permissions";

/** No rule grants the identity an object that exists. */
export class NothingBound extends Error {}

/**
 * Returns the error that a client gets for a failed login; undefined when the failure is not one of a login.
 *
 * @param bounds grants that are refused, with their rules
 */
export function refusalOf(
  error: unknown,
  { requestId }: { requestId: string },
  bounds: readonly Bound[] = [],
): AppError | undefined {
  if (error instanceof LoginRefused) return new AppError("forbidden", error.message + givenBy(error));
  const isRefused = [IdentityError, RedirectUriError].some((kind) => error instanceof kind);
  if (error instanceof Error && isRefused) return new AppError("forbidden", error.message);
  // The grants exceed the maximum of a token, or no token may have them in its scope.
  if (error instanceof AppError && error.code === "invalid") return withRules(error, bounds);
  if (error instanceof ProviderError) return new AppError("unavailable", error.message);
  if (!(error instanceof NothingBound)) return undefined;
  return new AppError("forbidden", `${NOTHING_BOUND}. See the server log (request ${requestId})`);
}

/** Names the binding rule: its author has to know which rule denies every login that it matches. */
function givenBy({ bindingRuleId = "" }: LoginRefused): string {
  return bindingRuleId === "" ? "" : `; granted by binding rule ${bindingRuleId}`;
}

/** Maximum number of rules that an error names when their grants are refused. */
const MOST_NAMED = 5;

function withRules(error: AppError, bounds: readonly Bound[]): AppError {
  if (bounds.length === 0) return error;
  const named = bounds.slice(0, MOST_NAMED).map(({ bindingRuleId }) => bindingRuleId);
  const more = bounds.length > named.length ? ` and ${bounds.length - named.length} more` : "";
  return new AppError(error.code, `${error.message}; granted by binding rules ${named.join(", ")}${more}`);
}

/**
 * The explanations, which say too where a rule matches and leads to a role or policy that is not there.
 *
 * @param scope where the token would lie
 */
export async function withMissingLinks(
  db: Reader,
  scope: Scope,
  bindingRules: readonly BindingRuleExplanation[],
  datacenter: string,
): Promise<BindingRuleExplanation[]> {
  const asked = bindingRules.flatMap(({ bound }) =>
    bound === undefined || bound.isBarred || !(isLink(bound) || isOfNodes(bound)) ? [] : [bound],
  );
  const distinct = new Map(asked.map((bound) => [keyOf(bound), bound]));
  const { skipped } = await lookUp(db, scope, [...distinct.values()], datacenter);
  const missing = new Map(skipped.map((bound) => [keyOf(bound), bound]));
  return bindingRules.map((bindingRule) => {
    const link = bindingRule.bound && missing.get(keyOf(bindingRule.bound));
    return link === undefined
      ? bindingRule
      : { ...bindingRule, reason: `grants nothing: ${reasonOf(link)}; ${bindingRule.reason}` };
  });
}

function keyOf({ bindType, name, isComputed }: Bound): string {
  return `${bindType} ${isComputed} ${fold(name)}`;
}

/** Why a rule that matches gives nothing. */
export function reasonOf(bound: Bound): string {
  const { bindType, name, isBarred } = bound;
  const what = `${bindType} ${goQuote(name)}`;
  if (isOfNodes(bound)) return `${what} applies only in the namespace "${DEFAULT_SCOPE.namespace}"`;
  return isBarred ? `${what} is built-in, and computed names cannot select it` : `${what} does not exist`;
}

/**
 * The policies that a token has: those it links to, those of its roles, those
 * that identities and templates expand to, and the defaults of its namespace.
 */
import type { Reader } from "../storage/database.ts";
import { NO_GRANTS, type Grants, sizeOfIdentities } from "./grants.ts";
import { checkMissing, type LinkingObject } from "./kit/link-store.ts";
import type { NamespaceDefaults } from "./namespaces/store.ts";
import { asStored, policyStore, sizeOfPolicies, type Policy } from "./policies/store.ts";
import type { PolicyText } from "./policies/stored-rules.ts";
import { roleStore, type Role } from "./roles/store.ts";
import { rightsTurns, addSizes, checkRules, type RuleSize } from "./rule-limit.ts";
import type { PolicyLink } from "../rights/rules/rule.ts";
import { homeOf, type Scope } from "../rights/scope.ts";
import {
  expandNodeIdentity,
  expandServiceIdentity,
  expandTemplate,
  findTemplate,
  type SyntheticPolicy,
} from "./templated-policies/templates.ts";

/** A policy with the ways by which a token came to it. @typeParam P what is known of the policy: to decide, its text is enough */
export interface EffectivePolicy<P extends PolicyText = PolicyText> {
  policy: P;
  /** Whether it was made from an identity or a template. */
  isSynthetic: boolean;
  links: PolicyLink[];
}

/** Policies and roles, of a token or of the defaults behind it. */
export interface EffectiveGrant<P extends PolicyText = PolicyText> {
  /** Each policy once; those of other datacenters are left out. */
  policies: EffectivePolicy<P>[];
  roles: Role[];
}

/** Grants that decide a token's permissions. */
export interface Effective<P extends PolicyText = PolicyText> extends EffectiveGrant<P> {
  /** Grants of the token's namespace to all its tokens; they apply where the rest contains no rule. */
  defaults: EffectiveGrant<P>;
}

/** Links of a token. */
export interface LinkHolder extends Grants, LinkingObject {
  roles: readonly string[];
}

/** Number of policies of maximum length that are within the limit together. */
const FEW = 8;
/** Policies that one statement reads. */
const SLICE = 128;

/**
 * Reads all that a token has.
 *
 * @param defaults of its namespace
 * @param datacenter this server's
 * @throws AppError `invalid` when its policies have grown to more than a token may have
 */
export async function readEffective(
  db: Reader,
  holder: LinkHolder,
  defaults: NamespaceDefaults | undefined,
  datacenter: string,
): Promise<Effective<Policy>> {
  const { partition, namespace } = holder.scope;
  const [own, behind] = await Promise.all([
    readGrant(db, holder, datacenter, undefined),
    defaults === undefined
      ? NOTHING
      : readGrant(db, { ...NO_GRANTS, ...defaults, scope: homeOf(partition) }, datacenter, namespace),
  ]);
  checkEffective([...own.policies, ...behind.policies]);
  return { ...own, defaults: behind };
}

/** @throws AppError `invalid` when these are more than a token may have */
export function checkEffective(policies: readonly EffectivePolicy[]): void {
  const sizes = policies.map(({ policy }) => ({ policies: 1, rules: policy.ruleCount, bytes: policy.rules.length }));
  checkRules("token", addSizes(sizes));
}

const NOTHING: EffectiveGrant<Policy> = { policies: [], roles: [] };

/** @param defaultsOf the namespace whose defaults these are; undefined for a token's own */
async function readGrant(
  db: Reader,
  holder: LinkHolder,
  datacenter: string,
  defaultsOf: string | undefined,
): Promise<EffectiveGrant<Policy>> {
  const { scope } = holder;
  const roles = await roleStore.all(db, scope, holder.roles);
  await checkMissing(db, "roles", holder.roles, new Set(roles.map(({ id }) => id)), () => [holder], scope);
  const ids = [...new Set([...holder.policies, ...roles.flatMap((role) => role.policies)])];
  checkRules("token", addSizes([await measure(db, scope, ids), ...[holder, ...roles].map(sizeOfIdentities)]));
  const stored = await readPolicies(db, scope, ids);
  const linkTo = (id: string) => [holder, ...roles].filter((each) => each.policies.includes(id));
  await checkMissing(db, "policies", ids, stored, linkTo, scope);
  return grantOf(holder, roles, stored, { datacenter, defaultsOf });
}

/** A holder whose links are known. */
export interface GrantHolder extends Grants {
  scope: Scope;
}

/** A role whose links are known. */
export type GrantedRole = Grants & { id: string; name: string };

/**
 * Merges what a holder and its roles have.
 *
 * @param stored the policies that they link to, by ID; others are gone
 * @param defaultsOf the namespace whose defaults these are; undefined for a token's own
 */
export function grantOf<P extends PolicyText, R extends GrantedRole>(
  holder: GrantHolder,
  roles: readonly R[],
  stored: ReadonlyMap<string, P>,
  { datacenter, defaultsOf }: { datacenter: string; defaultsOf: string | undefined },
): { policies: EffectivePolicy<P>[]; roles: R[] } {
  const found = new Map<string, EffectivePolicy<P>>();

  function add(policy: P | undefined, isSynthetic: boolean, link: PolicyLink): void {
    if (policy === undefined) return;
    if (policy.datacenters.length > 0 && !policy.datacenters.includes(datacenter)) return;
    const before = found.get(policy.id);
    if (before === undefined) found.set(policy.id, { policy, isSynthetic, links: [link] });
    else before.links.push(link);
  }

  function addAll(grants: Grants, role: R | undefined): void {
    for (const id of grants.policies) add(stored.get(id), false, linkBy(defaultsOf, role));
    for (const { name, policy } of syntheticPolicies(grants)) {
      const isOwn = defaultsOf === undefined && role === undefined;
      const link: PolicyLink = isOwn ? { kind: "identity", name } : linkBy(defaultsOf, role);
      add(asStored(policy, holder.scope) as Policy & P, true, link);
    }
  }

  addAll(holder, undefined);
  for (const role of roles) addAll(role, role);
  return { policies: [...found.values()], roles: [...roles] };
}

/** Measures policies before their texts are read. A few cannot exceed the limit, and are not measured. */
async function measure(db: Reader, scope: Scope, ids: readonly string[]): Promise<RuleSize> {
  if (ids.length <= FEW) return addSizes([]);
  const sizes: RuleSize[] = [];
  for (let start = 0; start < ids.length; start += SLICE) {
    sizes.push(await sizeOfPolicies(db, scope, ids.slice(start, start + SLICE)));
    // A sum above the limit need not be counted to its end.
    checkRules("token", addSizes(sizes));
    await rightsTurns.pause();
  }
  return addSizes(sizes);
}

async function readPolicies(db: Reader, scope: Scope, ids: readonly string[]): Promise<Map<string, Policy>> {
  const found = new Map<string, Policy>();
  for (let start = 0; start < ids.length; start += SLICE) {
    for (const policy of await policyStore.all(db, scope, ids.slice(start, start + SLICE)))
      found.set(policy.id, policy);
    await rightsTurns.pause();
  }
  return found;
}

function linkBy(defaultsOf: string | undefined, role: Pick<Role, "id" | "name"> | undefined): PolicyLink {
  const by = role && { id: role.id, name: role.name };
  if (defaultsOf !== undefined) return { kind: "default", namespace: defaultsOf, ...(by && { role: by }) };
  return by === undefined ? { kind: "direct" } : { kind: "role", ...by };
}

/** Policies of identities and templates, each with the name of the identity or the template. */
export function* syntheticPolicies(grants: Grants): Generator<{ name: string; policy: SyntheticPolicy }> {
  for (const { serviceName, datacenters } of grants.serviceIdentities) {
    yield { name: serviceName, policy: expandServiceIdentity(serviceName, datacenters) };
  }
  for (const { nodeName, datacenter } of grants.nodeIdentities) {
    yield { name: nodeName, policy: expandNodeIdentity(nodeName, datacenter) };
  }
  for (const { templateName, variableName, datacenters } of grants.templatedPolicies) {
    const template = findTemplate(templateName);
    if (template !== undefined) {
      yield { name: templateName, policy: expandTemplate(template, variableName ?? "", datacenters) };
    }
  }
}

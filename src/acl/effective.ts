/**
 * The policies that a token has: those it links to, those of its roles, and
 * those that identities and templates expand to.
 */
import type { Reader } from "../storage/database.ts";
import type { Grants } from "./grants.ts";
import { findPolicies, sizeOfPolicies, type Policy } from "./policies/lookup.ts";
import { findRoles, type Role } from "./roles/lookup.ts";
import { addSizes, checkRules } from "./rule-limit.ts";
import type { PolicyLink } from "./rules/authorizer.ts";
import type { Scope } from "./scope.ts";
import {
  expandNodeIdentity,
  expandServiceIdentity,
  expandTemplate,
  findTemplate,
  type SyntheticPolicy,
} from "./templated-policies/templates.ts";

/** A policy with the ways by which a token came to it. */
export interface EffectivePolicy {
  policy: Policy;
  links: PolicyLink[];
}

/** What decides a token's rights. */
export interface Effective {
  /** Each policy once; those of other datacenters are left out. */
  policies: EffectivePolicy[];
  roles: Role[];
}

/** What is linked to a token. */
export interface Holder extends Grants {
  scope: Scope;
  roles: readonly string[];
}

/** Policies of the greatest length that are within the limit together. */
const FEW = 8;

/**
 * Reads all that a token has.
 *
 * @param datacenter this server's
 * @throws AppError `invalid` when its policies have grown to more than a token may have
 */
export async function readEffective(db: Reader, holder: Holder, datacenter: string): Promise<Effective> {
  const { scope } = holder;
  const roles = await findRoles(db, scope, holder.roles);
  const ids = [...new Set([...holder.policies, ...roles.flatMap((role) => role.policies)])];
  // So few cannot be too long; more are measured before their texts are read.
  if (ids.length > FEW) checkRules("token", await sizeOfPolicies(db, scope, ids));
  const stored = new Map((await findPolicies(db, scope, ids)).map((policy) => [policy.id, policy]));
  const found = new Map<string, EffectivePolicy>();

  function add(policy: Policy | undefined, link: PolicyLink): void {
    if (policy === undefined) return;
    if (policy.datacenters.length > 0 && !policy.datacenters.includes(datacenter)) return;
    const before = found.get(policy.id);
    if (before === undefined) found.set(policy.id, { policy, links: [link] });
    else before.links.push(link);
  }

  function addAll(grants: Grants, link: PolicyLink | undefined): void {
    for (const id of grants.policies) add(stored.get(id), link ?? { kind: "direct" });
    for (const { name, policy } of syntheticPolicies(grants)) {
      add(asPolicy(policy, scope), link ?? { kind: "identity", name });
    }
  }

  addAll(holder, undefined);
  for (const role of roles) addAll(role, { kind: "role", id: role.id, name: role.name });
  const policies = [...found.values()];
  checkRules(
    "token",
    addSizes(policies.map(({ policy }) => ({ rules: policy.ruleCount, bytes: policy.rules.length }))),
  );
  return { policies, roles };
}

/** What identities and templates expand to, each with the name of the identity or the template. */
function* syntheticPolicies(grants: Grants): Generator<{ name: string; policy: SyntheticPolicy }> {
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

function asPolicy(policy: SyntheticPolicy, scope: Scope): Policy {
  return { ...policy, scope, createIndex: 0, modifyIndex: 0 };
}

/**
 * Computes the most that a binding rule can grant whose name, or whose tokens' namespace, follows from the identity. An
 * answer then contains the rules that may grant the access, and no others.
 */
import type { Template } from "../../templates/template.ts";
import type { BindingPlan } from "../../acl/bindings/binding.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import { maySay } from "../../rights/rules/acting-rules.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, homeOf, isIn, isRootScope, type Scope } from "../../rights/scope.ts";
import { isIdentityName } from "../../acl/templated-policies/templates.ts";
import { isComputed } from "../../templates/template.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import type { AccessHolder } from "./decider.ts";

/** Binding rule with the scopes in which tokens of its logins may be. */
export interface ComputedRule {
  plan: BindingPlan;
  scope: Scope;
  /** Whether the tokens may be in another namespace than the rule. */
  isPlaced: boolean;
  datacenter: string;
}

/**
 * Returns the holders with the largest grants of the rule for this question. Each is evaluated with the defaults of its
 * namespace. `anything` when the rule may lead to any role or policy that could allow the access.
 */
export function mostGiven(question: RightsQuestion, rule: ComputedRule): readonly AccessHolder[] | "anything" {
  const { plan, scope, isPlaced, datacenter } = rule;
  const { partition } = scope;
  const scopes = isPlaced
    ? [scope, homeOf(partition), ...(question.scope.partition === partition ? [question.scope] : [])]
    : [scope];
  const holdersOf = (grants: Partial<AccessHolder>): AccessHolder[] =>
    scopes.map((each) => ({ ...NO_GRANTS, roles: [], ...grants, scope: each }));
  switch (plan.bindType) {
    case "role":
    case "policy":
      if (scopes.some((each) => mayAllow(each, plan.bindType === "role", question))) return "anything";
      return holdersOf({});
    case "service":
      return namesOf(plan.name, question).flatMap((serviceName) =>
        holdersOf({ serviceIdentities: [{ serviceName, datacenters: [] }] }),
      );
    case "node":
      return namesOf(plan.name, question).flatMap((nodeName) =>
        holdersOf({ nodeIdentities: [{ nodeName, datacenter }] }),
      );
    case "templated-policy": {
      const templateName = plan.name.text;
      const names = plan.variable === undefined ? [undefined] : namesOf(plan.variable, question);
      return names.flatMap((variableName) =>
        holdersOf({ templatedPolicies: [{ templateName, variableName, datacenters: [] }] }),
      );
    }
  }
}

const SIDECAR = "-sidecar-proxy";

/** Names that the template may come to and that could matter: the one that is asked for, and any other. */
function namesOf(template: Template, { segment }: RightsQuestion): string[] {
  if (!isComputed(template)) return [template.text];
  const asked = [segment, ...(segment.endsWith(SIDECAR) ? [segment.slice(0, -SIDECAR.length)] : [])];
  // Any other name: what identities may beside their own is the same for all.
  const other = segment.startsWith("x") ? "y" : "x";
  return [...asked.filter((name) => isIdentityName(name) && mayBecome(template, name)), other];
}

/** Whether the literal parts of a template stand in a name, in their order and at its ends. */
function mayBecome({ parts }: Template, name: string): boolean {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part !== "string") continue;
    const literal = fold(part);
    const isLast = index === parts.length - 1;
    const found = isLast ? name.length - literal.length : name.indexOf(literal, at);
    if (found < at || (index === 0 && found !== 0) || !name.startsWith(literal, found)) return false;
    at = found + literal.length;
  }
  return true;
}

/** Whether a policy, or a role, that lies there could allow it at all. */
function mayAllow(home: Scope, isRole: boolean, { resource, access, scope }: RightsQuestion): boolean {
  if (isRootScope(home)) return true;
  if (resource === "partition" || resource === "namespace") return true;
  const about = resource === "intention" ? "service" : resource;
  const policy = access === "read" ? "read" : "write";
  if (!maySay(home, { resource: about, policy, prefix: true, segment: "" })) return false;
  if (scope.partition !== home.partition) return false;
  // Identities may read the catalog in the whole partition, and roles can contain identities.
  if (isRole && access === "read" && (about === "service" || about === "node")) return true;
  return home.namespace === DEFAULT_SCOPE.namespace || isIn(home, scope);
}

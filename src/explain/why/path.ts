/** Shows the path from a subject to the rule that decides. Each element is shown if the caller may read it. */
import type { Context } from "../../context.ts";
import { authorize, unnoted } from "../../rights/authorize.ts";
import type { BindingRule } from "../../acl/binding-rules/store.ts";
import type { EffectivePolicy } from "../../acl/effective.ts";
import type { Explanation } from "../../rights/rules/authorizer.ts";
import { fold } from "../../fold.ts";
import type { PolicyLink, PolicyRules } from "../../rights/rules/rule.ts";
import { positionOf } from "../../rights/rules/scanner.ts";
import { homeOf, type RenderScope, type Scope } from "../../rights/scope.ts";
import type { BoundBy, Subject } from "./subject.ts";

/** Stands for what the caller may not read. */
export const HIDDEN = "hidden";

interface ShownLink {
  Kind: string;
  ID?: string | undefined;
  Name?: string | undefined;
  Namespace?: string | undefined;
  Role?: string | undefined;
  BindingRules?: { ID: string; AuthMethod?: string | undefined; Selector?: string | undefined }[] | undefined;
}

interface ShownPolicy {
  ID: string;
  Name: string;
  Namespace?: string | undefined;
  Partition?: string | undefined;
  Places?: { Line: number; Column: number }[];
  Links: ShownLink[];
}

/** A decision as answers show it. */
export interface ShownDecision {
  Allow: boolean;
  DecidedBy: string;
  Rule: Explanation["rule"];
  Path: ShownPolicy[] | undefined;
}

/** Shows a decision about a subject to the caller. */
export function showDecision(
  { actor }: Pick<Context, "actor">,
  { scope, effective, boundBy }: Pick<Subject, "scope" | "effective" | "boundBy">,
  { allow, decidedBy, rule, policies }: Explanation,
  renderScope: RenderScope,
): ShownDecision {
  if (policies === undefined) return { Allow: allow, DecidedBy: decidedBy, Rule: undefined, Path: undefined };
  const seesDefaults = authorize(unnoted(actor), "acl", "", "read", homeOf(scope.partition));
  const byId = new Map<string, EffectivePolicy>();
  for (const each of [...effective.defaults.policies, ...effective.policies]) byId.set(each.policy.id, each);
  const shown = new Map<string, ShownPolicy>();
  for (const { ID, Name, Links, at } of policies) {
    const found = byId.get(ID);
    // A policy of an identity is named by the identity, which is in the scope of its holder.
    const isShown =
      found !== undefined && (found.isSynthetic ? seesAny(Links, seesDefaults) : sees(actor, found.policy.scope));
    if (!isShown) {
      shown.set(HIDDEN, { ID: HIDDEN, Name: HIDDEN, Links: linksOf(Links, seesDefaults, boundBy, HIDDEN) });
      continue;
    }
    const { policy } = found;
    const before = shown.get(ID);
    const entry: ShownPolicy = before ?? {
      ID,
      Name,
      ...renderScope(policy.scope),
      Places: [],
      Links: linksOf(Links, seesDefaults, boundBy, Name),
    };
    if (at !== undefined) {
      const { line, column } = positionOf(policy.rules, at);
      entry.Places?.push({ Line: line, Column: column });
    }
    shown.set(ID, entry);
  }
  const isReadable = [...shown.keys()].some((id) => id !== HIDDEN);
  return { Allow: allow, DecidedBy: decidedBy, Rule: isReadable ? rule : undefined, Path: [...shown.values()] };
}

/**
 * Makes what says whether the caller may read a policy of a subject, and so the names in its rules.
 *
 * @param scope where the subject lies
 */
export function policyReader(
  { actor }: Pick<Context, "actor">,
  scope: Scope,
): (policy: Pick<PolicyRules, "home" | "links" | "isSynthetic">) => boolean {
  const seesDefaults = sees(actor, homeOf(scope.partition));
  return ({ home, links, isSynthetic }) =>
    isSynthetic === true ? seesAny(links, seesDefaults) && sees(actor, home) : sees(actor, home);
}

function sees(actor: Context["actor"], scope: Scope): boolean {
  return authorize(unnoted(actor), "acl", "", "read", scope);
}

function seesAny(links: readonly PolicyLink[], seesDefaults: boolean): boolean {
  return seesDefaults || links.some(({ kind }) => kind !== "default");
}

/** Only the caller's sight of the defaults differs: all else lies where whoever has it lies. */
function linksOf(
  links: readonly PolicyLink[],
  seesDefaults: boolean,
  boundBy: BoundBy | undefined,
  policy: string,
): ShownLink[] {
  return links.map((link) => {
    switch (link.kind) {
      case "direct":
        return { Kind: "direct", BindingRules: givenBy(boundBy, "policy", policy) };
      case "role":
        return { Kind: "role", ID: link.id, Name: link.name, BindingRules: givenBy(boundBy, "role", link.name) };
      case "identity":
        return { Kind: "identity", Name: link.name, BindingRules: givenBy(boundBy, "", link.name) };
      case "default": {
        const role = link.role && (seesDefaults ? link.role.name : HIDDEN);
        return { Kind: "default", Namespace: link.namespace, Role: role };
      }
    }
  });
}

/** The rules that gave this; one whose name follows from the identity may have. */
function givenBy(boundBy: BoundBy | undefined, type: "policy" | "role" | "", name: string): ShownLink["BindingRules"] {
  if (boundBy === undefined) return undefined;
  if (boundBy === HIDDEN) return [{ ID: HIDDEN }];
  const found = boundBy.filter((rule) => gives(rule, type, name));
  return found.map(({ id, authMethod, selector }) => ({
    ID: id,
    AuthMethod: authMethod,
    Selector: selector || undefined,
  }));
}

function gives({ bindType, bindName }: BindingRule, type: "policy" | "role" | "", name: string): boolean {
  const isLink = bindType === "policy" || bindType === "role";
  if (type === "" ? isLink : bindType !== type) return false;
  return bindName.includes("${") || fold(bindName) === fold(name);
}

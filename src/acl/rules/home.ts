/** What a policy may hold, by where it lies. */
import { invalid } from "../../errors.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
import { maySay } from "./acting-rules.ts";
import { fold } from "./fold.ts";
import type { Rule } from "./rule.ts";

/**
 * Refuses rules that a policy may not hold where it lies: outside the namespace
 * `default` whatever reaches beyond its own namespace, outside the default
 * partition whatever speaks of the whole server or of another partition.
 *
 * @throws AppError `invalid` that names the kinds
 */
export function checkHome(rules: readonly Rule[], home: Scope): void {
  if (isRootScope(home)) return;
  const refused = new Set(rules.filter((rule) => !mayHold(home, rule)).map(nameOf));
  if (refused.size > 0) throw invalid(`Invalid Policy: ${cannotHold(home, [...refused])}`);
}

/** Says that a policy cannot have rules where it lies. @param names as `nameOf` has them */
export function cannotHold(home: Scope, names: readonly string[]): string {
  const where =
    home.namespace === DEFAULT_SCOPE.namespace
      ? `outside the partition "${DEFAULT_SCOPE.partition}"`
      : `outside the namespace "${DEFAULT_SCOPE.namespace}"`;
  return `a policy ${where} cannot have these rules: ${names.join(", ")}`;
}

/** Whether a policy that lies there may be written with this rule. */
export function mayHold(home: Scope, rule: Rule): boolean {
  if (!("kind" in rule)) return maySay(home, rule);
  if (home.namespace !== DEFAULT_SCOPE.namespace) return false;
  return rule.kind === "namespace" || (!rule.prefix && fold(rule.segment) === home.partition);
}

/** What a refusal calls a rule. */
export function nameOf(rule: Rule): string {
  if ("kind" in rule) return `${rule.kind}${rule.prefix ? "_prefix" : ""}`;
  const kind = `${rule.resource}${rule.prefix ? "_prefix" : ""}`;
  return rule.resource === "node" ? `${kind} with the policy "${rule.policy}"` : kind;
}

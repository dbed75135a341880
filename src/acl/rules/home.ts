import { AppError } from "../../errors.ts";
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
  if (refused.size === 0) return;
  const where =
    home.namespace === DEFAULT_SCOPE.namespace
      ? `outside the partition "${DEFAULT_SCOPE.partition}"`
      : `outside the namespace "${DEFAULT_SCOPE.namespace}"`;
  throw new AppError(
    "invalid",
    `Invalid Policy: a policy ${where} cannot have these rules: ${[...refused].join(", ")}`,
  );
}

function mayHold(home: Scope, rule: Rule): boolean {
  if (!("kind" in rule)) return maySay(home, rule);
  if (home.namespace !== DEFAULT_SCOPE.namespace) return false;
  return rule.kind === "namespace" || (!rule.prefix && fold(rule.segment) === home.partition);
}

function nameOf(rule: Rule): string {
  if ("kind" in rule) return `${rule.kind}${rule.prefix ? "_prefix" : ""}`;
  const kind = `${rule.resource}${rule.prefix ? "_prefix" : ""}`;
  return rule.resource === "node" ? `${kind} with the policy "${rule.policy}"` : kind;
}

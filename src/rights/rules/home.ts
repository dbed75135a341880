/** Checks which rules a policy may contain in its scope. */
import { AppError } from "../../errors.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";
import { maySay } from "./acting-rules.ts";
import { fold } from "../../fold.ts";
import type { Rule } from "./rule.ts";

/**
 * A policy contains rules that are not allowed in its scope. The error of a write names the kinds; a check names each
 * rule with its position.
 */
export class HomeError extends AppError {
  readonly #home: Scope;
  readonly #refused: readonly Rule[];

  constructor(home: Scope, refused: readonly Rule[]) {
    super("invalid", messageOf(home, new Set(refused.map(nameOf))));
    this.name = "HomeError";
    this.#home = home;
    this.#refused = refused;
  }

  /** A refusal for each of the first of these rules, with its place in the text. */
  each(most: number): { message: string; at: number }[] {
    const some = this.#refused.slice(0, most);
    return some.map((rule) => ({ message: messageOf(this.#home, [nameOf(rule)]), at: rule.at ?? 0 }));
  }
}

/**
 * Refuses rules that a policy may not hold where it lies: outside the namespace
 * `default` whatever reaches beyond its own namespace, outside the default
 * partition whatever speaks of the whole server or of another partition.
 *
 * @throws {HomeError} that names the kinds
 */
export function checkHome(rules: readonly Rule[], home: Scope): void {
  const refused = isRootScope(home) ? [] : rules.filter((rule) => !mayHold(home, rule));
  if (refused.length > 0) throw new HomeError(home, refused);
}

function messageOf(home: Scope, names: Iterable<string>): string {
  const where =
    home.namespace === DEFAULT_SCOPE.namespace
      ? `outside the partition "${DEFAULT_SCOPE.partition}"`
      : `outside the namespace "${DEFAULT_SCOPE.namespace}"`;
  return `Invalid Policy: a policy ${where} cannot have these rules: ${[...names].join(", ")}`;
}

/** Whether a policy that lies there, which is not where all lies that says nothing else, may be written with this rule. */
function mayHold(home: Scope, rule: Rule): boolean {
  if (!("kind" in rule)) return maySay(home, rule);
  if (home.namespace !== DEFAULT_SCOPE.namespace) return false;
  return rule.kind === "namespace" || (!rule.prefix && fold(rule.segment) === home.partition);
}

/** Name of a rule in an error. */
function nameOf(rule: Rule): string {
  if ("kind" in rule) return `${rule.kind}${rule.prefix ? "_prefix" : ""}`;
  const kind = `${rule.resource}${rule.prefix ? "_prefix" : ""}`;
  return rule.resource === "node" ? `${kind} with the policy "${rule.policy}"` : kind;
}

/**
 * Finds parts of a policy that do not have the effect that they seem to have, or decide otherwise than at their origin,
 * or otherwise than they are read now.
 */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { differencesOf, readOr } from "../policies/rewritten.ts";
import { grammarOf, policyStore, type PolicyInput } from "../policies/store.ts";
import type { PolicyText } from "../policies/stored-rules.ts";
import { rightsTurns } from "../rule-limit.ts";
import { differencesBetween } from "../../rights/rules/differences.ts";
import { parseInSteps } from "../../rights/rules/parse.ts";
import type { Rule } from "../../rights/rules/rule.ts";
import { RulesError, type Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import { foreignDatacenters } from "./datacenters.ts";
import { MOST_FINDINGS, type LintFinding, type WarningCode } from "./finding.ts";
import { faultsFromConsul } from "./foreign.ts";
import { warningsOf } from "./rules.ts";

type Edition = "enterprise" | "community";

/** The warnings alone, of a policy that was just written. */
export async function warningsOfPolicy(
  policy: Pick<PolicyText, "rules" | "hash" | "datacenters">,
  { edition, datacenter }: { edition: Edition; datacenter: string },
): Promise<readonly LintFinding[]> {
  const foreign = foreignDatacenters(policy.datacenters, datacenter, "this policy", "Datacenters");
  // A policy that is read as before keeps its grants, whatever its text would grant now.
  const ofRules =
    grammarOf(policy) === "present"
      ? await warningsOf(policy.rules, edition)
      : asFindings("read-as-before", await rightsTurns.run(differencesOf(policy, edition)));
  return [...foreign, ...ofRules];
}

/** Servers whose policies may be brought here; `tessera` is one whose policies may be read as before. */
export const ORIGINS = ["consul", "consul-community", "tessera"] as const;
type Origin = (typeof ORIGINS)[number];

/**
 * Returns warnings about a policy that is to be in this scope: parts that do not have the effect that they seem to
 * have.
 *
 * @param input its origin `from` is one of `ORIGINS`, or empty
 * @throws AppError `invalid` for an unknown origin
 */
export async function warningsOfDraft(
  { db }: Pick<Context, "db">,
  home: Scope,
  { name, rules, datacenters, from }: PolicyInput & { from: string },
  { edition, datacenter }: { edition: Edition; datacenter: string },
): Promise<readonly LintFinding[]> {
  const origin = originOf(from);
  const foreign = foreignDatacenters(datacenters, datacenter, "this policy", "Datacenters");
  const stored = name === "" ? undefined : await policyStore.byName(db, home, name);
  const rewritten = stored?.rules === rules ? await rightsTurns.run(differencesOf(stored, edition)) : [];
  const brought = origin === undefined ? [] : await rightsTurns.run(differencesFrom(origin, rules, edition));
  const warnings = [
    ...foreign,
    ...(await warningsOf(rules, edition)),
    ...asFindings("read-as-before", rewritten),
    ...asFindings("other-meaning", brought),
  ];
  return warnings.slice(0, MOST_FINDINGS);
}

/** Errors for which a policy of this origin is rejected. @throws AppError `invalid` for an unknown origin */
export async function faultsOfOrigin(from: string, rules: string): Promise<readonly LintFinding[]> {
  const origin = originOf(from);
  return origin === undefined || origin === "tessera" ? [] : rightsTurns.run(faultsFromConsul(rules));
}

const BEGINNINGS = {
  "read-as-before": "the stored policy keeps its earlier meaning; after it is saved again",
  "other-meaning": "here the decision differs from its origin",
} as const;

function asFindings(code: WarningCode & keyof typeof BEGINNINGS, differences: readonly string[]): LintFinding[] {
  return differences.map((difference) => ({ code, message: `${BEGINNINGS[code]}: ${difference}`, member: "Rules" }));
}

function originOf(from: string): Origin | undefined {
  if (from === "") return undefined;
  const found = ORIGINS.find((each) => each === from);
  if (found === undefined)
    throw invalid(`Invalid from: expected one of ${ORIGINS.join(", ")}, not ${JSON.stringify(from)}`);
  return found;
}

/** Nothing for a text that this server refuses. */
function* differencesFrom(origin: Origin, text: string, edition: Edition): Steps<string[]> {
  const here = yield* readOr(parseInSteps(text, edition));
  if (here instanceof RulesError) return [];
  const there = yield* readOr(readAt(origin, text, edition));
  // Text that is not valid at its origin grants nothing there.
  return yield* differencesBetween(there instanceof RulesError ? [] : there, here);
}

function* readAt(origin: Origin, text: string, edition: Edition): Steps<Rule[]> {
  if (origin === "tessera") return yield* parseInSteps(text, edition, { grammar: "earlier" });
  const rules = yield* parseInSteps(text, origin === "consul-community" ? "community" : edition);
  return rules.filter((rule) => "kind" in rule || !OURS.has(rule.resource));
}

/** Kinds of rules that mean nothing in Consul. They stand at the top only. */
const OURS: ReadonlySet<string> = new Set(["organization", "workspace"]);

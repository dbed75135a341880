/** What is wrong with a policy, and what of it decides otherwise than where it comes from, or than it is read now. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { differencesOf } from "../policies/rewritten.ts";
import { grammarOf, policyStore, type Policy } from "../policies/store.ts";
import { rightsTurns } from "../rule-limit.ts";
import { differencesBetween } from "../rules/differences.ts";
import { parseInSteps } from "../rules/parse.ts";
import type { Rule } from "../rules/rule.ts";
import { RulesError, type Steps } from "../rules/scanner.ts";
import type { Scope } from "../scope.ts";
import { foreignDatacenters } from "./datacenters.ts";
import { MOST_FINDINGS, type Finding, type Findings, type WarningCode } from "./finding.ts";
import { lintRules, warningsOf } from "./rules.ts";

type Edition = "enterprise" | "community";

/** The warnings alone, of a policy that was just written. */
export async function warningsOfPolicy(
  policy: Policy,
  { edition, datacenter }: { edition: Edition; datacenter: string },
): Promise<readonly Finding[]> {
  const foreign = foreignDatacenters(policy.datacenters, datacenter, "this policy", "Datacenters");
  // What is read as before gives what it gave, whatever its text would give now.
  const ofRules =
    grammarOf(policy) === "present"
      ? await warningsOf(policy.rules, edition)
      : asFindings("read-as-before", await rightsTurns.run(differencesOf(policy, edition)));
  return [...foreign, ...ofRules];
}

/** Servers whose policies may be brought here; `tessera` is one whose policies may be read as before. */
export const ORIGINS = ["consul", "consul-community", "tessera"] as const;
type Origin = (typeof ORIGINS)[number];

/** What is looked through of a policy. */
export interface LookedPolicy {
  /** Empty for none. */
  name: string;
  rules: string;
  /** One of `ORIGINS`, or empty. */
  from: string;
}

/**
 * Looks through a policy that is to lie there, for who may read where it does.
 *
 * @throws AppError `invalid` for an origin that there is not
 */
export async function lintPolicy(
  { db }: Pick<Context, "db">,
  home: Scope,
  { name, rules, from }: LookedPolicy,
  edition: Edition,
): Promise<Findings> {
  const origin = originOf(from);
  const { errors, warnings } = await lintRules(rules, home, edition);
  const stored = name === "" ? undefined : await policyStore.byName(db, home, name);
  const rewritten =
    stored?.rules === rules ? asFindings("read-as-before", await rightsTurns.run(differencesOf(stored, edition))) : [];
  const brought =
    origin === undefined || errors.length > 0
      ? []
      : asFindings("other-meaning", await rightsTurns.run(differencesFrom(origin, rules, edition)));
  return { errors, warnings: [...warnings, ...rewritten, ...brought].slice(0, MOST_FINDINGS) };
}

const BEGINNINGS = {
  "read-as-before": "what is stored is read as before; once it is written again",
  "other-meaning": "here it decides otherwise than where it comes from",
} as const;

function asFindings(code: WarningCode & keyof typeof BEGINNINGS, differences: readonly string[]): Finding[] {
  return differences.map((difference) => ({ code, message: `${BEGINNINGS[code]}: ${difference}`, member: "Rules" }));
}

function originOf(from: string): Origin | undefined {
  if (from === "") return undefined;
  const found = ORIGINS.find((each) => each === from);
  if (found === undefined) throw invalid(`from is one of ${ORIGINS.join(", ")}, not ${JSON.stringify(from)}`);
  return found;
}

/** @param text that this server takes */
function* differencesFrom(origin: Origin, text: string, edition: Edition): Steps<string[]> {
  const here = yield* parseInSteps(text, edition);
  try {
    return yield* differencesBetween(yield* readAt(origin, text, edition), here);
  } catch (error) {
    // What is no text of rules there gives nothing.
    if (error instanceof RulesError) return yield* differencesBetween([], here);
    throw error;
  }
}

function* readAt(origin: Origin, text: string, edition: Edition): Steps<Rule[]> {
  if (origin === "tessera") return yield* parseInSteps(text, edition, { grammar: "earlier" });
  const rules = yield* parseInSteps(text, origin === "consul-community" ? "community" : edition);
  return rules.filter((rule) => "kind" in rule || !OURS.has(rule.resource));
}

/** Kinds of rules that mean nothing in Consul. They stand at the top only. */
const OURS: ReadonlySet<string> = new Set(["organization", "workspace"]);

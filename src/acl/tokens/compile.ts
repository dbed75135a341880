/** Compiles the policies that a token, or whoever has some, holds. */
import type { Effective, EffectivePolicy } from "../effective.ts";
import { readStoredRules } from "../policies/stored-rules.ts";
import { rightsTurns } from "../rule-limit.ts";
import type { Authorizer } from "../../rights/rules/authorizer.ts";
import { compileInSteps } from "../../rights/rules/compile.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";

/** Settings that decide how rules are read. */
interface Compiling {
  defaultPolicy: "allow" | "deny";
  edition: "enterprise" | "community";
}

/** Compiles policies as they are stored, with the ways that lead to them. */
export function compilePolicies(effective: Given, options: Compiling): Promise<Authorizer> {
  return rightsTurns.run(compileInTurns(effective, options, false));
}

/** The same, whose explanations say where in its text a rule stands. */
export function compileWithPlaces(effective: Given, options: Compiling): Promise<Authorizer> {
  return rightsTurns.run(compileInTurns(effective, options, true));
}

/** The same, with the policies as they were parsed, those of defaults too. */
export function compileParsed(
  effective: Given,
  options: Compiling,
): Promise<{ rights: Authorizer; policies: PolicyRules[] }> {
  return rightsTurns.run(compileParsedInTurns(effective, options));
}

type Given = Pick<Effective, "policies"> & { defaults: Pick<Effective["defaults"], "policies"> };

function* compileInTurns(
  { policies, defaults }: Given,
  { defaultPolicy, edition }: Compiling,
  places: boolean,
): Steps<Authorizer> {
  return yield* compileInSteps({
    direct: yield* parseAll(policies, edition, places),
    defaults: yield* parseAll(defaults.policies, edition, places),
    defaultPolicy,
  });
}

function* compileParsedInTurns(
  effective: Given,
  { defaultPolicy, edition }: Compiling,
): Steps<{ rights: Authorizer; policies: PolicyRules[] }> {
  const direct = yield* parseAll(inOrder(effective.policies), edition, true);
  const defaults = yield* parseAll(inOrder(effective.defaults.policies), edition, true);
  const rights = yield* compileInSteps({ direct, defaults, defaultPolicy });
  return { rights, policies: [...direct, ...defaults] };
}

/** Sorts policies by ID: of several rules that show a namespace, the first is named, in whatever order they were read. */
function inOrder(policies: readonly EffectivePolicy[]): EffectivePolicy[] {
  return policies.toSorted((one, other) => (one.policy.id < other.policy.id ? -1 : 1));
}

function* parseAll(
  policies: readonly EffectivePolicy[],
  edition: Compiling["edition"],
  places: boolean,
): Steps<PolicyRules[]> {
  const parsed: PolicyRules[] = [];
  for (const { policy, isSynthetic, links } of policies) {
    const { id, name, scope: home } = policy;
    parsed.push({
      id,
      name,
      rules: yield* readStoredRules(policy, edition, { places }),
      home,
      links,
      isSynthetic,
    });
    yield;
  }
  return parsed;
}

import { goQuote } from "../../go/quote.ts";
import type { Reader } from "../../storage/database.ts";
import type { Bound } from "../bindings/compiled-binding-rules.ts";
import type { BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";
import { isLink, lookUp } from "./given.ts";

/**
 * The explanations, which say too where a rule matches and leads to a role or policy that is not there.
 *
 * @param scope where the token would lie
 */
export async function withMissingLinks(
  db: Reader,
  scope: Scope,
  bindingRules: readonly BindingRuleExplanation[],
  datacenter: string,
): Promise<BindingRuleExplanation[]> {
  const asked = bindingRules.flatMap(({ bound }) =>
    bound === undefined || bound.isBarred || !isLink(bound) ? [] : [bound],
  );
  const distinct = new Map(asked.map((bound) => [keyOf(bound), bound]));
  const { skipped } = await lookUp(db, scope, [...distinct.values()], datacenter);
  const missing = new Map(skipped.map((bound) => [keyOf(bound), bound]));
  return bindingRules.map((bindingRule) => {
    const link = bindingRule.bound && missing.get(keyOf(bindingRule.bound));
    return link === undefined
      ? bindingRule
      : { ...bindingRule, reason: `gives nothing: ${reasonOf(link)}; ${bindingRule.reason}` };
  });
}

function keyOf({ bindType, name, isComputed }: Bound): string {
  return `${bindType} ${isComputed} ${fold(name)}`;
}

function reasonOf({ bindType, name, isBarred }: Bound): string {
  const what = `${bindType} ${goQuote(name)}`;
  return isBarred ? `${what} is built in, which no computed name reaches` : `there is no ${what}`;
}

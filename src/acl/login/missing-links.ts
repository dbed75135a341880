import { goQuote } from "../../go/quote.ts";
import type { Reader } from "../../storage/database.ts";
import type { Bound } from "../bindings/compiled-rules.ts";
import type { RuleExplanation } from "../bindings/explain-rule.ts";
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
  rules: readonly RuleExplanation[],
  datacenter: string,
): Promise<RuleExplanation[]> {
  const asked = rules.flatMap(({ bound }) => (bound === undefined || bound.isBarred || !isLink(bound) ? [] : [bound]));
  const distinct = new Map(asked.map((bound) => [keyOf(bound), bound]));
  const { skipped } = await lookUp(db, scope, [...distinct.values()], datacenter);
  const missing = new Map(skipped.map((bound) => [keyOf(bound), bound]));
  return rules.map((rule) => {
    const link = rule.bound && missing.get(keyOf(rule.bound));
    return link === undefined ? rule : { ...rule, reason: `gives nothing: ${reasonOf(link)}; ${rule.reason}` };
  });
}

function keyOf({ bindType, name, isComputed }: Bound): string {
  return `${bindType} ${isComputed} ${fold(name)}`;
}

function reasonOf({ bindType, name, isBarred }: Bound): string {
  const what = `${bindType} ${goQuote(name)}`;
  return isBarred ? `${what} is built in, which no computed name reaches` : `there is no ${what}`;
}

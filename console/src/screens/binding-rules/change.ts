/** Changes of several binding rules: what they grant, or one more condition. */
import type { ItemOf } from "@tessera-server/client";

/** A change, as the dialog has it. */
export interface RuleChange {
  readonly action: "grants" | "condition";
  readonly bindType: "role" | "policy";
  readonly bindName: string;
  readonly condition: string;
}

type Changeable = Pick<ItemOf<"listBindingRules">, "BindType" | "BindName" | "Selector" | "BindVars">;

/** Whether something that the change needs is not typed yet. */
export function isIncomplete({ action, bindName, condition }: RuleChange): boolean {
  return (action === "grants" ? bindName : condition).trim() === "";
}

/** Returns the members of a rule that the change sets; none when the rule is as the change makes it. */
export function changedRule(rule: Changeable, change: RuleChange): Readonly<Record<string, unknown>> {
  if (isIncomplete(change)) return {};
  return change.action === "grants" ? withGrant(rule, change) : withCondition(rule, change.condition.trim());
}

function withGrant(rule: Changeable, { bindType, bindName }: RuleChange): Readonly<Record<string, unknown>> {
  const name = bindName.trim();
  if (rule.BindType === bindType && rule.BindName === name) return {};
  // Only templated policies have variables: the server refuses them for others.
  return { BindType: bindType, BindName: name, ...(rule.BindVars && { BindVars: null }) };
}

/** Both in parentheses: `or` binds less than `and`. */
function withCondition({ Selector = "" }: Changeable, condition: string): Readonly<Record<string, unknown>> {
  if (Selector === "") return { Selector: condition };
  if (Selector === condition || Selector.endsWith(` and (${condition})`)) return {};
  return { Selector: `(${Selector}) and (${condition})` };
}

/** Drafted binding rules of a request, checked as a write would check them. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { orRefuse } from "../../acl/kit/ask.ts";
import {
  askBindingRule,
  findToUpdate,
  keyOf,
  type BindingRuleChecks,
  type BindingRuleInput,
} from "../../acl/binding-rules/asked.ts";
import type { Scope } from "../../rights/scope.ts";
import type { BindingDraft } from "./logins.ts";

/** A binding rule in a request: members that are undefined stay. */
export interface BindingRuleDraft {
  /** Empty for a new one. */
  id: string;
  isDeleted: boolean;
  given: { [Member in keyof BindingRuleInput]?: BindingRuleInput[Member] | undefined };
}

const EMPTY: BindingRuleInput = {
  authMethod: "",
  description: "",
  selector: "",
  bindType: "",
  bindName: "",
  bindVars: undefined,
};

/** @throws AppError `not_found` for an ID that no rule has, `invalid` for what no write would take */
export async function resolveBindings(
  ctx: Context,
  scope: Scope,
  drafts: readonly BindingRuleDraft[],
  checks: BindingRuleChecks,
): Promise<BindingDraft[]> {
  const resolved: BindingDraft[] = [];
  for (const [index, { id, isDeleted, given }] of drafts.entries()) {
    const key = id === "" ? `new ${index}` : keyOf(id);
    if (resolved.some((each) => each.id === key)) throw invalid("a binding rule is listed more than once");
    const before = id === "" ? undefined : await findToUpdate(ctx.db, scope, key);
    if (isDeleted && before === undefined) throw invalid("each deleted binding rule requires an ID");
    if (isDeleted && before !== undefined) {
      const { methodId, authMethod } = before;
      resolved.push({ id: key, methodId, authMethod, before, after: undefined });
      continue;
    }
    const input = { ...(before ?? EMPTY), ...withoutUndefined(given) };
    const method = await askBindingRule(orRefuse, ctx, scope, before === undefined ? "" : key, input, checks);
    if (method === undefined) throw invalid("each new binding rule requires an AuthMethod");
    const { selector, bindType, bindName, bindVars } = input;
    const after = { selector, bindType, bindName, bindVars };
    resolved.push({ id: key, methodId: method.id, authMethod: method.name, before, after });
  }
  return resolved;
}

function withoutUndefined(given: BindingRuleDraft["given"]): Partial<BindingRuleInput> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

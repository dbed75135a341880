/** Evaluates a binding rule for an identity, before the rule is written. */
import { AppError } from "../../errors.ts";
import type { IdentityForm, VerifiedIdentity } from "../../identities/validator.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { checkContent, findSelectorProblem, type BindingRuleContent } from "../bindings/binding.ts";
import { compileBindingRules } from "../bindings/compiled-binding-rules.ts";
import { explainBindingRules, type BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";

/** Name for a draft that does not have one yet: every identity could get it. */
const NAMELESS = { bindType: "service", bindName: "draft", bindVars: undefined } as const;

/**
 * Explains a draft, which is checked as a write would check it; what is wrong with it is its reason.
 *
 * @param form of the identities of its auth method
 */
export async function explainDraft(
  draft: BindingRuleContent,
  identity: VerifiedIdentity,
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): Promise<BindingRuleExplanation> {
  const failed = (reason: string): BindingRuleExplanation => ({
    id: "",
    verdict: "failed",
    reason,
    bound: undefined,
    isRefusal: false,
  });
  const hasName = draft.bindName !== "";
  const content = hasName ? draft : { ...NAMELESS, selector: draft.selector };
  const problem = hasName
    ? problemOf(content, form, regularExpressions)
    : findSelectorProblem(content.selector, form, regularExpressions);
  if (problem !== undefined) return failed(problem);
  const compiled = await compileBindingRules([{ id: "", modifyIndex: 0, ...content }], regularExpressions);
  const [explained = failed("")] = await explainBindingRules(compiled, identity);
  return hasName ? explained : { ...explained, bound: undefined };
}

function problemOf(content: BindingRuleContent, form: IdentityForm, engine: RegularExpressions): string | undefined {
  try {
    checkContent(content, form, engine);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

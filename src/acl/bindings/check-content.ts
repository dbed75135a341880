import { AppError } from "../../errors.ts";
import type { IdentityForm } from "../../identities/validator.ts";
import { checkSelector } from "../../selectors/check.ts";
import { compileSelector } from "../../selectors/compile.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import { isBindType } from "./bind-types.ts";
import { BindingError, computeBinding, planBinding, unknownBindType, type BindingRuleContent } from "./binding.ts";
import { limitTogether, MAX_SELECTOR_INSTRUCTIONS } from "./pattern-limit.ts";

/** What each variable is tried as. */
const TRIED = "fake";

/**
 * Checks what a rule says by itself: its selector, its type, and the names that it would give.
 *
 * @param form of the identities of its auth method
 * @throws AppError `invalid`
 */
export function checkContent(
  content: BindingRuleContent,
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): void {
  const { selector, bindType, bindName, bindVars } = content;
  const problem = findSelectorProblem(selector, form, regularExpressions);
  if (problem !== undefined) throw bad(`invalid Binding Rule: Selector is invalid: ${problem}`);
  if (bindType === "") throw bad("Invalid Binding Rule: no BindType is set");
  if (bindName === "") throw bad("Invalid Binding Rule: no BindName is set");
  if (bindVars !== undefined && bindType !== "templated-policy") {
    throw bad("invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy.");
  }
  const cause = findBindingProblem(content, form);
  if (cause !== undefined) throw bad(`Invalid Binding Rule: invalid BindName or BindVars: ${cause}`);
}

/**
 * What is wrong with a selector for identities of this form, regular expressions included, by themselves and together;
 * undefined when nothing is. An empty one is for every identity.
 */
export function findSelectorProblem(
  text: string,
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): string | undefined {
  if (text === "") return undefined;
  try {
    const selector = parseSelector(text);
    checkSelector(selector, form.shape);
    compileSelector(selector, limitTogether(regularExpressions, MAX_SELECTOR_INSTRUCTIONS, "the selector"));
    return undefined;
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}

/** Variables as they are tried when what uses them is written. */
export function triedVariables({ variables }: IdentityForm): ReadonlyMap<string, string> {
  return new Map(Array.from(variables, (name) => [name, TRIED]));
}

function findBindingProblem(content: BindingRuleContent, form: IdentityForm): string | undefined {
  const { bindType } = content;
  if (!isBindType(bindType)) return unknownBindType(bindType).message;
  try {
    computeBinding(planBinding(content), triedVariables(form), "writing");
    return undefined;
  } catch (error) {
    if (!(error instanceof BindingError)) throw error;
    return `failed to validate bindType "${bindType}": ${error.message}`;
  }
}

function bad(message: string): AppError {
  return new AppError("invalid", message);
}

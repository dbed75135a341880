/** Namespace rules of an auth method: which namespace the tokens of its identities lie in. The first that matches decides. */
import { AppError } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import type { IdentityForm, VerifiedIdentity } from "../../identities/validator.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { parseTemplate } from "../../templates/parse.ts";
import { renderTemplate } from "../../templates/render.ts";
import { isComputed, type Template } from "../../templates/template.ts";
import { TemplateError } from "../../templates/template-error.ts";
import { findSelectorProblem, triedVariables } from "../bindings/check-content.ts";
import { LoginRefused } from "../bindings/login-refused.ts";
import { isSelected, selectBy } from "../bindings/selection.ts";
import { createSharing } from "../bindings/shared-parts.ts";
import { fold } from "../rules/fold.ts";
import { DEFAULT_SCOPE, isScopeName } from "../scope.ts";

export interface NamespaceRule {
  /** Empty for every identity. */
  readonly selector: string;
  /** Template of a namespace's name. */
  readonly bindNamespace: string;
}

/** The namespace that a rule chose. */
export interface ChosenNamespace {
  /** Folded, and such as a namespace can have; whether there is one was not asked. */
  readonly name: string;
  /** Whether the identity had a part in the name. */
  readonly isComputed: boolean;
  /** Whether it is `default`, which a computed name does not reach: it counts as a namespace that there is not. */
  readonly isBarred: boolean;
  /** Place of the rule. */
  readonly index: number;
}

export interface CompiledNamespaceRules {
  /**
   * Undefined when no rule matches.
   *
   * @throws {LoginRefused} when the rule that decides gives no name of a namespace
   */
  choose(identity: VerifiedIdentity): ChosenNamespace | undefined;
}

/** Rules that an auth method may have. */
export const MAX_NAMESPACE_RULES = 128;

/**
 * Checks what the rules of an auth method say.
 *
 * @param form of its identities
 * @throws AppError `invalid`
 */
export function checkNamespaceRules(
  rules: readonly NamespaceRule[],
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): void {
  if (rules.length > MAX_NAMESPACE_RULES) {
    throw bad(`NamespaceRules has ${rules.length} entries; at most ${MAX_NAMESPACE_RULES} are allowed`);
  }
  for (const [index, { selector, bindNamespace }] of rules.entries()) {
    const problem = findSelectorProblem(selector, form, regularExpressions);
    if (problem !== undefined) throw bad(`NamespaceRules[${index}].Selector is invalid: ${problem}`);
    if (bindNamespace === "") throw bad(`NamespaceRules[${index}]: no BindNamespace is set`);
    try {
      nameFrom(parseTemplate(bindNamespace), triedVariables(form));
    } catch (error) {
      throw bad(`NamespaceRules[${index}].BindNamespace is invalid: ${causeOf(error)}`);
    }
  }
}

/**
 * Makes stored rules ready for logins. What a later version refuses of them matches nobody, or lets nobody log in whom it
 * matches.
 */
export function compileNamespaceRules(
  rules: readonly NamespaceRule[],
  regularExpressions: RegularExpressions,
): CompiledNamespaceRules {
  const share = createSharing();
  const compiled = rules.map(({ selector, bindNamespace }) => ({
    selection: selectBy(selector, regularExpressions, share),
    template: readTemplate(bindNamespace),
  }));
  return {
    choose({ fields, variables }) {
      const index = compiled.findIndex(({ selection }) => isSelected(selection, fields));
      const rule = compiled[index];
      if (rule === undefined) return undefined;
      try {
        const { template } = rule;
        if (template instanceof TemplateError) throw template;
        const name = nameFrom(template, variables);
        const computed = isComputed(template);
        return { name, isComputed: computed, isBarred: computed && name === DEFAULT_SCOPE.namespace, index };
      } catch (error) {
        throw new LoginRefused(causeOf(error), undefined, { cause: error });
      }
    },
  };
}

function readTemplate(text: string): Template | TemplateError {
  try {
    return parseTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** What a template came to is no name of a namespace. */
class NameError extends Error {}

/** @throws {TemplateError} @throws {NameError} */
function nameFrom(template: Template, variables: ReadonlyMap<string, string>): string {
  const name = fold(renderTemplate(template, variables));
  if (!isScopeName(name)) throw new NameError(`invalid bind namespace: ${goQuote(name)}`);
  return name;
}

/** In words for clients. @throws what is no failure of a template or name */
function causeOf(error: unknown): string {
  if (error instanceof TemplateError) return `error interpreting template: ${error.message}`;
  if (error instanceof NameError) return error.message;
  throw error;
}

function bad(cause: string): AppError {
  return new AppError("invalid", `Invalid Auth Method: ${cause}`);
}

/** Namespace rules of an auth method: which namespace the tokens of its identities lie in. The first that matches decides. */
import type { NamespaceRule, AuthMethod } from "./store.ts";
import { invalidMethod } from "./check.ts";
import { goQuote } from "../../go/quote.ts";
import type { IdentityForm, VerifiedIdentity } from "../../identities/validator.ts";
import { parseTemplate, renderTemplate, isComputed, type Template, TemplateError } from "../../templates/template.ts";
import { findSelectorProblem, triedVariables, LoginRefused } from "../bindings/binding.ts";
import { limitTogether } from "../bindings/regular-expressions.ts";
import { decideSelection, selectBy, type RuleSelection, createSharing } from "../bindings/selection.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { shareExpressions } from "../bindings/shared-expressions.ts";
import { workInTurns } from "../../turns.ts";
import { startBudget } from "../bindings/work-budget.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, isScopeName } from "../../rights/scope.ts";
import { keepVersions } from "../../limits/kept-versions.ts";

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
  /** Approximate memory in bytes. */
  readonly bytes: number;
  /**
   * Returns the namespace; undefined when no rule matches. Yields its turn to other work while it runs.
   *
   * @throws {LoginRefused} when the rule that decides makes an invalid namespace name, or cannot be evaluated: no later
   * rule may decide then, or a longer claim would choose among them
   */
  choose(identity: VerifiedIdentity): Promise<ChosenNamespace | undefined>;
}

/** Rules that an auth method may have. */
export const MAX_NAMESPACE_RULES = 128;

/**
 * Maximum size of all selectors of an auth method's rules together, in UTF-8 bytes: every login evaluates them one
 * after the other.
 */
export const MAX_SELECTOR_BYTES = 64 * 1024;

/** Most instructions of all patterns together: every login may have to compile them. */
export const MAX_TOGETHER = 16_000;

/**
 * Checks the rules of an auth method, in turns of the event loop.
 *
 * @param form of its identities
 * @throws AppError `invalid`
 */
export async function checkNamespaceRules(
  rules: readonly NamespaceRule[],
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): Promise<void> {
  if (rules.length > MAX_NAMESPACE_RULES) {
    throw invalidMethod(`NamespaceRules has ${rules.length} entries; at most ${MAX_NAMESPACE_RULES} are allowed`);
  }
  const bytes = rules.reduce((sum, { selector }) => sum + Buffer.byteLength(selector), 0);
  if (bytes > MAX_SELECTOR_BYTES) {
    throw invalidMethod(
      `the selectors of NamespaceRules have ${bytes} bytes together; at most ${MAX_SELECTOR_BYTES} are allowed`,
    );
  }
  await workInTurns(checkEach(rules, form, limitTogether(regularExpressions, MAX_TOGETHER, "NamespaceRules")));
}

function* checkEach(
  rules: readonly NamespaceRule[],
  form: IdentityForm,
  limited: RegularExpressions,
): Generator<void, void> {
  for (const [index, { selector, bindNamespace }] of rules.entries()) {
    yield;
    const problem = findSelectorProblem(selector, form, limited);
    if (problem !== undefined) throw invalidMethod(`NamespaceRules[${index}].Selector is invalid: ${problem}`);
    if (bindNamespace === "") throw invalidMethod(`NamespaceRules[${index}]: no BindNamespace is set`);
    try {
      nameFrom(parseTemplate(bindNamespace), triedVariables(form));
    } catch (error) {
      throw invalidMethod(`NamespaceRules[${index}].BindNamespace is invalid: ${causeOf(error)}`);
    }
  }
}

/** Rule as read. A login that reaches a part that a later version rejects fails. */
interface CompiledNamespaceRule {
  readonly selection: RuleSelection;
  readonly template: Template | TemplateError;
}

/** Makes stored rules ready for logins, in turns of the event loop. */
export function compileNamespaceRules(
  rules: readonly NamespaceRule[],
  regularExpressions: RegularExpressions,
): Promise<CompiledNamespaceRules> {
  return workInTurns(compileEach(rules, regularExpressions));
}

function* compileEach(
  rules: readonly NamespaceRule[],
  regularExpressions: RegularExpressions,
): Generator<void, CompiledNamespaceRules> {
  const expressions = shareExpressions(regularExpressions);
  const share = createSharing();
  const compiled: CompiledNamespaceRule[] = [];
  let bytes = SET_BYTES;
  for (const { selector, bindNamespace } of rules) {
    yield;
    const selection = selectBy(selector, expressions, share);
    compiled.push({ selection, template: readTemplate(bindNamespace) });
    bytes += selection.bytes + RULE_BYTES + bindNamespace.length * TEMPLATE_CHARACTER_BYTES;
  }
  return { bytes, choose: async (identity) => workInTurns(choose(compiled, identity)) };
}

/**
 * Approximate memory in bytes: of a method besides its rules, of a rule besides its selector, of a character of its
 * template.
 */
const SET_BYTES = 1000;
const RULE_BYTES = 250;
const TEMPLATE_CHARACTER_BYTES = 16;

function* choose(
  rules: readonly CompiledNamespaceRule[],
  { fields, variables }: VerifiedIdentity,
): Generator<void, ChosenNamespace | undefined> {
  const budget = startBudget();
  for (const [index, { selection, template }] of rules.entries()) {
    yield;
    const isSelected = decideSelection(selection, fields, budget);
    if (isSelected === undefined) throw new LoginRefused(`NamespaceRules[${index}] could not be decided`, undefined);
    if (isSelected) return { ...nameOf(template, variables), index };
  }
  return undefined;
}

/** @throws {LoginRefused} */
function nameOf(
  template: Template | TemplateError,
  variables: ReadonlyMap<string, string>,
): Omit<ChosenNamespace, "index"> {
  try {
    if (template instanceof TemplateError) throw template;
    const name = nameFrom(template, variables);
    const computed = isComputed(template);
    return { name, isComputed: computed, isBarred: computed && name === DEFAULT_SCOPE.namespace };
  } catch (error) {
    throw new LoginRefused(causeOf(error), undefined, { cause: error });
  }
}

function readTemplate(text: string): Template | TemplateError {
  try {
    return parseTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** A template makes a text that is not a valid namespace name. */
class NameError extends Error {}

/** @throws {TemplateError} @throws {NameError} */
function nameFrom(template: Template, variables: ReadonlyMap<string, string>): string {
  const name = fold(renderTemplate(template, variables));
  if (!isScopeName(name)) throw new NameError(`invalid bind namespace: ${goQuote(name)}`);
  return name;
}

/** Text of a failure for clients. @throws errors that are neither of a template nor of a name */
function causeOf(error: unknown): string {
  if (error instanceof TemplateError) return `error interpreting template: ${error.message}`;
  if (error instanceof NameError) return error.message;
  throw error;
}

export interface KeptNamespaceRules {
  /** The rules of a method, as of its `modifyIndex`. */
  of(method: Pick<AuthMethod, "id" | "modifyIndex" | "namespaceRules">): Promise<CompiledNamespaceRules>;
  /** Memory of what is kept, about. */
  bytes(): number;
}

/** Approximate maximum memory in bytes: rules of the largest size for ten methods, or ordinary ones for thousands. */
const MAX_BYTES = 16 * 1024 * 1024;

/** @param maxBytes maximum to keep; the rules that were used last are kept at any size */
export function keepNamespaceRules(engine: RegularExpressions, maxBytes = MAX_BYTES): KeptNamespaceRules {
  const kept = keepVersions<CompiledNamespaceRules>({ maxBytes });
  return {
    bytes: () => kept.bytes(),
    of: ({ id, modifyIndex, namespaceRules }) =>
      kept.of(id, modifyIndex, () => compileNamespaceRules(namespaceRules, engine)),
  };
}

/**
 * Computes the grants of a rule from its templates: with trial variables when the rule is written, with real ones at a
 * login.
 */
import { goQuote } from "../../go/quote.ts";
import { parseTemplate, renderTemplate, isComputed, type Template, TemplateError } from "../../templates/template.ts";
import { checkTemplatedPolicy, findTemplate, isIdentityName, NODE } from "../templated-policies/templates.ts";
import { fold } from "../../fold.ts";
import { AppError, invalid } from "../../errors.ts";
import type { IdentityForm } from "../../identities/validator.ts";
import { checkSelector } from "../../selectors/check.ts";
import { compileSelector } from "../../selectors/compile.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import { limitTogether, MAX_SELECTOR_INSTRUCTIONS } from "./regular-expressions.ts";
import { MAX_POLICY_NAME, POLICY_NAME, ROLE_NAME } from "../kit/names.ts";

/** Content of a binding rule, from a request or a row. */
export interface BindingRuleContent {
  /** Empty for every identity. */
  readonly selector: string;
  readonly bindType: string;
  readonly bindName: string;
  /** Undefined when there were none, which an empty object is not. */
  readonly bindVars: { readonly name: string | undefined } | undefined;
}

/** Templates that were read. */
export interface BindingPlan {
  readonly bindType: BindType;
  readonly name: Template;
  /** Template of the one variable that templated policies have; undefined when there is none. */
  readonly variable: Template | undefined;
}

/** Grant to an identity. */
export interface GrantedBinding {
  readonly bindType: BindType;
  readonly name: string;
  /** Whether the identity had a part in the name, or in the variable. */
  readonly isComputed: boolean;
  /** Whether the role or policy is one that a computed name does not reach: it counts as absent. */
  readonly isBarred: boolean;
  /** Only for a templated policy that has a variable. */
  readonly variableName: string | undefined;
}

/** A rule cannot make its grant. */
export class BindingError extends Error {}

/** Maximum length of a name that a message repeats. */
const MAX_REPEATED = 256;

/**
 * Reads what a rule gives.
 *
 * @throws {BindingError} for an unknown type or templated policy, and for templates that cannot be read
 */
export function planBinding({ bindType, bindName, bindVars }: BindingRuleContent): BindingPlan {
  if (!isBindType(bindType)) throw unknownBindType(bindType);
  if (bindType !== "templated-policy") {
    return { bindType, name: interpreted(() => parseTemplate(bindName), OF_NAME), variable: undefined };
  }
  if (findTemplate(bindName) === undefined) {
    const shown = bindName.slice(0, MAX_REPEATED).toWellFormed();
    throw new BindingError(`Bind name for templated-policy bind type does not match existing template name: ${shown}`);
  }
  const variable =
    bindVars === undefined ? undefined : interpreted(() => parseTemplate(bindVars.name ?? ""), OF_VARIABLE);
  return { bindType, name: { text: bindName, parts: [bindName] }, variable };
}

/** The error for a type that there is not. */
export function unknownBindType(bindType: string): BindingError {
  return new BindingError(`invalid Binding Rule: unknown BindType ${goQuote(bindType)}`);
}

/**
 * Works out what a rule gives.
 *
 * @param variables of the identity, by their whole names
 * @throws {BindingError} for a variable that is not among them, and for what cannot be the name of such a thing
 */
export function computeBinding(
  plan: BindingPlan,
  variables: ReadonlyMap<string, string>,
  stage: Stage,
): GrantedBinding {
  const { bindType } = plan;
  if (bindType === "templated-policy") return computeTemplated(plan, variables);
  const name = interpreted(() => renderTemplate(plan.name, variables), OF_NAME);
  if (!isBindName(bindType, name, stage)) throw new BindingError(`invalid bind name: ${goQuote(name)}`);
  const computed = isComputed(plan.name);
  const isLinked = bindType === "role" || bindType === "policy";
  const isBarred = computed && isLinked && isReservedComputed(name);
  return { bindType, name, isComputed: computed, isBarred, variableName: undefined };
}

function computeTemplated(
  { bindType, name, variable }: BindingPlan,
  variables: ReadonlyMap<string, string>,
): GrantedBinding {
  const template = findTemplate(name.text);
  const given =
    variable === undefined ? undefined : interpreted(() => renderTemplate(variable, variables), OF_VARIABLE);
  const problem = template === undefined ? undefined : checkTemplatedPolicy(template, given);
  if (problem !== undefined) throw new BindingError(`templated policy failed validation: ${problem}`);
  return {
    bindType,
    name: name.text,
    isComputed: variable !== undefined && isComputed(variable),
    isBarred: false,
    // When the template has no variable, the value was not checked and is not used.
    variableName: template?.variable === undefined ? undefined : given,
  };
}

const OF_NAME = "error interpreting template";
const OF_VARIABLE = "failed to interpret templated policy variables";

function interpreted<T>(work: () => T, failure: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new BindingError(`${failure}: ${error.message}`, { cause: error });
  }
}

/** Kinds of grants of binding rules. */
export const BIND_TYPES = ["service", "node", "role", "policy", "templated-policy"] as const;

export type BindType = (typeof BIND_TYPES)[number];

const KNOWN: ReadonlySet<string> = new Set(BIND_TYPES);

export function isBindType(text: string): text is BindType {
  return KNOWN.has(text);
}

/** Whether what a rule gives is for a node: nodes lie in no namespace, so it counts only in `default`. */
export function isOfNodes({ bindType, name }: { readonly bindType: string; readonly name: string }): boolean {
  return bindType === "node" || (bindType === "templated-policy" && findTemplate(name) === NODE);
}

/** When a name is looked at: as a rule is written, or as it gives something to a login. */
export type Stage = "writing" | "login";

const RESERVED_PREFIX = "builtin/";

/** Whether what a template became can be the name of what is bound. A policy's name may hold a `/` only until a login asks for it. */
export function isBindName(type: Exclude<BindType, "templated-policy">, name: string, stage: Stage): boolean {
  switch (type) {
    case "service":
    case "node":
      return isIdentityName(name);
    case "role":
      return ROLE_NAME.test(name);
    case "policy":
      return stage === "login" ? ROLE_NAME.test(name) : isPolicyName(name);
  }
}

function isPolicyName(name: string): boolean {
  return name.length <= MAX_POLICY_NAME && POLICY_NAME.test(name) && !fold(name).startsWith(RESERVED_PREFIX);
}

const RESERVED: ReadonlySet<string> = new Set(["default", "global-management", "namespace-management"]);

/**
 * Checks whether a computed name must not reach a role or policy of this name. A claim comes from another system, and
 * must not lead to permissions over everything. An author who writes the name out intends it.
 */
export function isReservedComputed(name: string): boolean {
  const folded = fold(name);
  return RESERVED.has(folded) || folded.startsWith(RESERVED_PREFIX);
}

/** A rule that matches the identity cannot make its grant, and the login fails. The message is shown to the client. */
export class LoginRefused extends Error {
  /** ID of the binding rule; undefined when a namespace rule is the reason. */
  readonly bindingRuleId: string | undefined;

  constructor(message: string, bindingRuleId: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.name = "LoginRefused";
    this.bindingRuleId = bindingRuleId;
  }
}

/** Value with which each variable is tried. */
const TRIED = "fake";

/** The selector of a binding rule cannot be read, or uses fields that identities do not have. */
export class RuleSelectorError extends AppError {
  /** Position of the error, as an index into the selector; undefined when it is about the whole. */
  readonly at: number | undefined;

  constructor({ message, at }: SelectorError) {
    super("invalid", `invalid Binding Rule: Selector is invalid: ${message}`);
    this.name = "RuleSelectorError";
    this.at = at;
  }
}

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
  checkRuleSelector(content, form, regularExpressions);
  checkGiven(content, form);
}

/** @throws {RuleSelectorError} */
export function checkRuleSelector(
  { selector }: BindingRuleContent,
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): void {
  const problem = findSelectorError(selector, form, regularExpressions);
  if (problem !== undefined) throw new RuleSelectorError(problem);
}

/** The type of a rule, and the names that it would give. @throws AppError `invalid` */
export function checkGiven(content: BindingRuleContent, form: IdentityForm): void {
  const { bindType, bindName, bindVars } = content;
  if (bindType === "") throw invalid("Invalid Binding Rule: no BindType is set");
  if (bindName === "") throw invalid("Invalid Binding Rule: no BindName is set");
  if (bindVars !== undefined && bindType !== "templated-policy") {
    throw invalid("invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy.");
  }
  const cause = findBindingProblem(content, form);
  if (cause !== undefined) throw invalid(`Invalid Binding Rule: invalid BindName or BindVars: ${cause}`);
}

/**
 * Returns the problem of a selector for identities of this form, regular expressions included, by themselves and
 * together; undefined when it is valid. An empty selector matches every identity.
 */
export function findSelectorProblem(
  text: string,
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): string | undefined {
  return findSelectorError(text, form, regularExpressions)?.message;
}

/** The same with its place. */
function findSelectorError(
  text: string,
  form: IdentityForm,
  regularExpressions: RegularExpressions,
): SelectorError | undefined {
  if (text === "") return undefined;
  try {
    const selector = parseSelector(text);
    checkSelector(selector, form.shape);
    compileSelector(selector, limitTogether(regularExpressions, MAX_SELECTOR_INSTRUCTIONS, "the selector"));
    return undefined;
  } catch (error) {
    if (error instanceof SelectorError) return error;
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

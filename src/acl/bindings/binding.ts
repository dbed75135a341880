/** What a rule gives, worked out from its templates: when it is written with variables that are tried, at a login with real ones. */
import { goQuote } from "../../go/quote.ts";
import { parseTemplate, renderTemplate, isComputed, type Template, TemplateError } from "../../templates/template.ts";
import { checkTemplatedPolicy, findTemplate } from "../templated-policies/templates.ts";
import { isBindName, isBindType, isReservedComputed, type BindType, type Stage } from "./bind-types.ts";

/** What a binding rule says, as a request or a row gives it. */
export interface BindingRuleContent {
  /** Empty for every identity. */
  readonly selector: string;
  readonly bindType: string;
  readonly bindName: string;
  /** Undefined when there were none, which an empty object is not. */
  readonly bindVars: { readonly name: string | undefined } | undefined;
}

/** Templates that were read. */
export interface Plan {
  readonly bindType: BindType;
  readonly name: Template;
  /** Of the one variable that templated policies have; undefined when there are none. */
  readonly variable: Template | undefined;
}

/** What is given to an identity. */
export interface Binding {
  readonly bindType: BindType;
  readonly name: string;
  /** Whether the identity had a part in the name, or in the variable. */
  readonly isComputed: boolean;
  /** Whether the role or policy is one that a computed name does not reach: it counts as absent. */
  readonly isBarred: boolean;
  /** Of a templated policy that has a variable. */
  readonly variableName: string | undefined;
}

/** A rule cannot give what it says. */
export class BindingError extends Error {}

/** More of a name than this is not repeated. */
const MAX_REPEATED = 256;

/**
 * Reads what a rule gives.
 *
 * @throws {BindingError} for an unknown type or templated policy, and for templates that cannot be read
 */
export function planBinding({ bindType, bindName, bindVars }: BindingRuleContent): Plan {
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
export function computeBinding(plan: Plan, variables: ReadonlyMap<string, string>, stage: Stage): Binding {
  const { bindType } = plan;
  if (bindType === "templated-policy") return computeTemplated(plan, variables);
  const name = interpreted(() => renderTemplate(plan.name, variables), OF_NAME);
  if (!isBindName(bindType, name, stage)) throw new BindingError(`invalid bind name: ${goQuote(name)}`);
  const computed = isComputed(plan.name);
  const isLinked = bindType === "role" || bindType === "policy";
  const isBarred = computed && isLinked && isReservedComputed(name);
  return { bindType, name, isComputed: computed, isBarred, variableName: undefined };
}

function computeTemplated({ bindType, name, variable }: Plan, variables: ReadonlyMap<string, string>): Binding {
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
    // Where the template has none nothing was checked, and nothing of it is wanted.
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

/** Rules of an organization for the tags of its workspaces, and the checks of such rules. */
import { measureBounded, createRegularExpressions } from "../../acl/bindings/regular-expressions.ts";
import { invalid } from "../../errors.ts";
import { checkKey, MAX_VALUE } from "../holders/bindings/keys.ts";

/** One rule. All its conditions must hold. Undefined members set no condition. */
export interface TagRule {
  /** How answers name it; unique in its policy. */
  name: string;
  /** Id of the project whose workspaces it is for; undefined for all. */
  project?: string | undefined;
  /** Keys that a workspace must have, as a binding or as a flat tag. */
  requiredKeys?: readonly string[] | undefined;
  /** The key whose values are bounded, by one of the next two. */
  key?: string | undefined;
  allowedValues?: readonly string[] | undefined;
  /** Pattern of the whole value. */
  valuePattern?: string | undefined;
  /** Pattern of the whole name of each tag and key. */
  namingPattern?: string | undefined;
}

/** Effect on a write that breaks a rule: the response warns of it, or the write is refused. */
export type Enforcement = "advise" | "refuse";

export const MAX_RULES = 50;
export const MAX_REQUIRED_KEYS = 20;
export const MAX_ALLOWED_VALUES = 100;
export const MAX_PATTERN = 256;
/** Maximum size of all rules of a policy as JSON: every write of tags reads them. */
const MAX_TEXT = 32 * 1024;
/** Instructions of one pattern, and of those of a policy together; see `acl/bindings/pattern-size.ts`. */
const MAX_INSTRUCTIONS = 250;
const MAX_INSTRUCTIONS_TOGETHER = 500;

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,98}[A-Za-z0-9])?$/;

/**
 * Checks the rules of a policy; whether their projects exist is not looked at.
 *
 * @param pointer JSON pointer to the list, whose members are called as in requests
 * @throws AppError `invalid`
 */
export function checkRules(rules: readonly TagRule[], pointer: string): void {
  if (rules.length > MAX_RULES) throw invalid(`A policy has at most ${MAX_RULES} rules`, pointer);
  const names = new Set<string>();
  const sizes = new Map<string, number>();
  for (const [index, rule] of rules.entries()) {
    const at = `${pointer}/${index}`;
    checkName(rule.name, names, `${at}/name`);
    if (rule.requiredKeys !== undefined) checkRequiredKeys(rule.requiredKeys, `${at}/required-keys`);
    checkValues(rule, at, sizes);
    if (rule.namingPattern !== undefined) checkPattern(rule.namingPattern, `${at}/naming-pattern`, sizes);
    if (rule.requiredKeys === undefined && rule.key === undefined && rule.namingPattern === undefined) {
      throw invalid(
        "A rule requires at least one of: required-keys; key with allowed-values or value-pattern; naming-pattern",
        at,
      );
    }
  }
  const together = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (together > MAX_INSTRUCTIONS_TOGETHER)
    throw invalid("The patterns of all rules are too large in total. Shorten or remove patterns", pointer);
  if (JSON.stringify(rules).length > MAX_TEXT) {
    throw invalid(`The rules are too long: at most ${MAX_TEXT / 1024} KiB`, pointer);
  }
}

function checkName(name: string, names: Set<string>, pointer: string): void {
  if (!NAME.test(name)) {
    throw invalid(
      "Name must have 1 to 100 letters, numbers, spaces and the characters . _ -, and start and end with a letter or number",
      pointer,
    );
  }
  if (names.has(name)) throw invalid(`Name ${JSON.stringify(name)} is repeated`, pointer);
  names.add(name);
}

function checkRequiredKeys(keys: readonly string[], pointer: string): void {
  checkLength(keys, MAX_REQUIRED_KEYS, pointer);
  for (const [index, key] of keys.entries()) checkKey(key, `${pointer}/${index}`);
}

/** A bound on values has a key, and a key one bound. */
function checkValues({ key, allowedValues, valuePattern }: TagRule, at: string, sizes: Map<string, number>): void {
  const isBounded = allowedValues !== undefined || valuePattern !== undefined;
  if (key === undefined) {
    if (isBounded) throw invalid("Key is missing: allowed-values and value-pattern require a key", `${at}/key`);
    return;
  }
  checkKey(key, `${at}/key`);
  if (!isBounded) throw invalid("A rule with a key requires allowed-values or value-pattern", at);
  if (allowedValues !== undefined && valuePattern !== undefined) {
    throw invalid("A rule must have either allowed-values or value-pattern, not both", at);
  }
  if (valuePattern !== undefined) checkPattern(valuePattern, `${at}/value-pattern`, sizes);
  if (allowedValues === undefined) return;
  checkLength(allowedValues, MAX_ALLOWED_VALUES, `${at}/allowed-values`);
  for (const [index, value] of allowedValues.entries()) {
    if (value.length <= MAX_VALUE) continue;
    throw invalid(`Value is too long: at most ${MAX_VALUE} characters`, `${at}/allowed-values/${index}`);
  }
}

function checkLength(list: readonly string[], most: number, pointer: string): void {
  if (list.length === 0) throw invalid("The list must not be empty", pointer);
  if (list.length > most) throw invalid(`The list is too long: at most ${most} entries`, pointer);
}

/** @param sizes of the patterns so far, to which this one is added */
function checkPattern(pattern: string, pointer: string, sizes: Map<string, number>): void {
  if (pattern.length > MAX_PATTERN) throw invalid(`Pattern is too long: at most ${MAX_PATTERN} characters`, pointer);
  try {
    const size = measureBounded(wholly(pattern));
    if (size > MAX_INSTRUCTIONS) throw new Error("error parsing regexp: expression too large");
    // Alone first: `a)(b` is well formed in the parentheses of `wholly`.
    for (const text of [pattern, wholly(pattern)]) createRegularExpressions().strict.compile(text);
    sizes.set(pattern, size);
  } catch (error) {
    throw invalid(`Pattern is malformed: ${error instanceof Error ? error.message : String(error)}`, pointer);
  }
}

/** The pattern for a text as a whole. */
export function wholly(pattern: string): string {
  return `\\A(?:${pattern})\\z`;
}

/** Claims that a selector asks for and its auth method does not give. */
import type { IdentityForm } from "../../identities/validator.ts";
import { parseSelector } from "../../selectors/parse.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import type { IdentityShape } from "../../selectors/shape.ts";
import type { Selector, Test } from "../../selectors/tree.ts";
import { positionOf, shorten } from "../../rights/rules/scanner.ts";
import { closest } from "./closest.ts";
import type { LintFinding } from "./finding.ts";

/** A warning for each test of a name that no claim is mapped to, or of one claim with the name of another; none for a selector that is none. @param member as findings name it */
export function unmappedClaims(text: string, form: IdentityForm, member: string): LintFinding[] {
  const selector = readable(text);
  if (selector === undefined) return [];
  return testsIn(selector).flatMap((test) => {
    const { path, start } = test;
    const like = textLikeAField(test, form);
    if (like !== undefined) return [{ ...like, member, at: positionOf(text, start) }];
    const [field, name] = path;
    const shape = form.shape.fields.get(field);
    if (shape?.kind !== "map" || shape.known === undefined || name === undefined || shape.known.has(name)) return [];
    const message = `the auth method maps no claim to ${JSON.stringify(shorten(`${field}.${name}`))}, so no identity has it`;
    const near = closest(name, shape.known);
    const didYouMean = near && `${field}.${near}`;
    return [{ code: "unmapped-claim" as const, message, member, at: positionOf(text, start), didYouMean }];
  });
}

/** A selector compares with texts alone: who writes the name of another claim means what that claim says. */
function textLikeAField(test: Test, { shape }: IdentityForm): Pick<LintFinding, "code" | "message"> | undefined {
  if (!("value" in test)) return undefined;
  const names = test.value.split(".");
  if (names.length === 1 || !isField(shape, names)) return undefined;
  const message = `this compares with the text ${JSON.stringify(shorten(test.value))}, not with a claim; a selector cannot compare two claims`;
  return { code: "text-like-a-field", message };
}

function isField(shape: IdentityShape, names: readonly string[]): boolean {
  const [first = "", ...others] = names;
  if (shape.kind === "map") return shape.known?.has(names.join(".")) === true;
  if (shape.kind !== "structure") return names.length === 0;
  const field = shape.fields.get(first);
  return field !== undefined && isField(field, others);
}

function readable(text: string): Selector | undefined {
  if (text === "") return undefined;
  try {
    return parseSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function testsIn(selector: Selector): Test[] {
  switch (selector.kind) {
    case "test":
      return [selector];
    case "not":
      return testsIn(selector.operand);
    case "and":
    case "or":
      return selector.operands.flatMap(testsIn);
  }
}

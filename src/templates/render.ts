import { positionOf } from "./position.ts";
import { TemplateError } from "./template-error.ts";
import type { Template } from "./template.ts";

/** Longest result, in UTF-16 code units: far more than any name may have, and little enough to make. */
export const MAX_RESULT_LENGTH = 8192;

/**
 * Puts the variables' values into a template. Values are lower-cased, ASCII letters only: what another alphabet's letters
 * become is no name that anybody wrote. Literal text keeps its case.
 * @param variables by their whole names, such as `value.team`
 * @throws {TemplateError} for a variable that is not among them, and for a result that is too long
 */
export function renderTemplate({ text, parts }: Template, variables: ReadonlyMap<string, string>): string {
  let result = "";
  for (const part of parts) {
    if (typeof part === "string") {
      result += part;
      continue;
    }
    const value = variables.get(part.name);
    if (value === undefined) {
      throw new TemplateError(`${positionOf(text, part.at)}: unknown variable accessed: ${part.name}`);
    }
    if (result.length + value.length > MAX_RESULT_LENGTH) {
      throw new TemplateError(`result is longer than ${MAX_RESULT_LENGTH} characters`);
    }
    result += lowerAscii(value);
  }
  return result;
}

function lowerAscii(value: string): string {
  return value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

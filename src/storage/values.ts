import { AppError } from "../errors.ts";

/** What both engines store as it is: text, integers that a number holds exactly, and null; lists of them are for `oneOf`. */
export type Value = string | number | null | readonly (string | number)[];

/**
 * Refuses, in front of both engines alike, what one of them would misread (an
 * object as named parameters, `undefined` as null), round, or cut (text at NUL),
 * or what would come back as another text (half a surrogate pair).
 *
 * @throws TypeError for a value of another type: a fault of ours
 * @throws AppError `invalid` for text that cannot be stored: it came from outside
 */
export function checkValues(parameters: readonly unknown[]): asserts parameters is readonly Value[] {
  for (let i = 0; i < parameters.length; i++) {
    const value = parameters[i];
    if (typeof value === "string") checkText(value);
    else if (Array.isArray(value)) for (const element of value) checkElement(element, i);
    else if (value !== null) checkNumber(value, i);
  }
}

/** The same for the key of a point read. */
export function checkKey(key: unknown): void {
  checkElement(key, 0);
}

function checkElement(value: unknown, position: number): void {
  if (typeof value === "string") checkText(value);
  else checkNumber(value, position);
}

function checkText(text: string): void {
  if (!text.includes("\0") && text.isWellFormed()) return;
  throw new AppError("invalid", "Text must be Unicode without NUL");
}

function checkNumber(value: unknown, position: number): void {
  if (Number.isSafeInteger(value)) return;
  // The value itself stays out of the message: it may be a secret.
  const what = typeof value === "number" ? "number that is no safe integer" : typeof value;
  throw new TypeError(`parameter ${position + 1} is a ${what}, which is not stored`);
}

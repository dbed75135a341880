import { inspect } from "node:util";

/** A value as the name of a test shows it: in one line, with long texts cut, and another value by another text. */
export function shown(value: unknown): string {
  return inspect(value, { breakLength: Infinity, depth: 5, maxStringLength: 40 });
}

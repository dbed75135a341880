import { isUtf8 } from "node:buffer";
import { invalid } from "../errors.ts";

/** Deeper than any document of ours; bounds the recursion below. */
const MAX_DEPTH = 64;

/**
 * Parses a request body. An empty one is undefined: whether that is allowed is
 * for the route's schema to say.
 *
 * @throws AppError `invalid` when it is not JSON in UTF-8, is nested deeper than
 * 64 levels, or holds text that cannot be stored on every engine
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalid("The request body is not valid UTF-8");
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw invalid("The request body is not valid JSON");
  }
  checkValue(body, "", 0);
  return body;
}

function checkValue(value: unknown, pointer: string, depth: number): void {
  if (typeof value === "string") {
    checkText(value, pointer);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= MAX_DEPTH) throw invalid("The request body is nested too deeply");
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) checkValue(entry, `${pointer}/${index}`, depth + 1);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    checkText(key, pointer);
    if (key === "__proto__") throw invalid("The request body has a member named __proto__", pointer);
    checkValue(entry, `${pointer}/${escapePointer(key)}`, depth + 1);
  }
}

function checkText(text: string, pointer: string): void {
  if (text.includes("\0")) throw invalid("Text must not contain NUL characters", pointer);
  if (!text.isWellFormed()) throw invalid("Text must not contain unpaired surrogates", pointer);
}

/** A member name as one step of a JSON pointer. */
export function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

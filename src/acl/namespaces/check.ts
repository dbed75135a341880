import { invalid } from "../../errors.ts";
import { DEFAULT_SCOPE, isScopeName } from "../../rights/scope.ts";

/** Names that stand for something else on servers of this kind. */
const RESERVED: ReadonlySet<string> = new Set(["operator", "root", "system", "universal"]);

/**
 * The name of a namespace or partition that a request writes.
 *
 * @param folded as it is stored
 * @throws AppError `invalid`
 */
export function checkScopeName(what: "Namespace" | "Partition", folded: string): void {
  if (folded === "") throw invalid(`Invalid ${what}: no Name is set`);
  if (!isScopeName(folded)) {
    throw invalid(
      `Invalid ${what}: invalid Name ${JSON.stringify(folded)}. Expected a valid DNS hostname label: ` +
        "1 to 63 letters, digits and hyphens, with no hyphen at either end",
    );
  }
  if (RESERVED.has(folded)) throw invalid(`${what} "${folded}" is reserved for future internal use`);
}

/** @throws AppError `invalid` for what is always there */
export function checkDeletable(what: "Namespace" | "Partition", name: string): void {
  if (name === DEFAULT_SCOPE.namespace)
    throw invalid(`Delete operation not permitted on the builtin ${what} "${name}"`);
}

const MAX_PAIRS = 64;
const MAX_KEY_BYTES = 128;
const MAX_VALUE_BYTES = 512;

/** @throws AppError `invalid` that states the limit */
export function checkMeta(meta: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(meta);
  if (pairs.length > MAX_PAIRS) {
    throw invalid(`Invalid Namespace: Meta has ${pairs.length} pairs; at most ${MAX_PAIRS} are allowed`);
  }
  for (const [key, value] of pairs) {
    if (key === "") throw invalid("Invalid Namespace: a key of Meta is empty");
    checkLength(`the key ${JSON.stringify(shortened(key))}`, key, MAX_KEY_BYTES);
    checkLength(`the value of ${JSON.stringify(key)}`, value, MAX_VALUE_BYTES);
  }
}

function checkLength(what: string, text: string, most: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw invalid(`Invalid Namespace: Meta: ${what} has ${bytes} bytes; at most ${most} are allowed`);
}

function shortened(text: string): string {
  return text.length <= MAX_KEY_BYTES ? text : `${text.slice(0, MAX_KEY_BYTES).toWellFormed()}…`;
}

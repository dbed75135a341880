/** Keys and values as they may be. */
import { invalid } from "../../../errors.ts";
import { shorten } from "../../../rights/rules/scanner.ts";
import { soughtName } from "../../pool/names.ts";

/** A binding as a request gives it; without a value it is empty. */
export interface BindingInput {
  key: string;
  value: string;
}

/** Binding that a request adds to existing ones. Without a value, an existing value stays. */
export interface AddedBinding {
  key: string;
  value: string | undefined;
}

/** Bindings that a workspace or a project has of its own. */
export const MAX_BINDINGS = 10;
export const MAX_KEY = 128;
export const MAX_VALUE = 256;

/** Characters of keys and values. */
export const CHARACTERS = /^[A-Za-z0-9_.=+\-@:]*$/;
/** Prefixes that keys may not have. The hosted product reserves them, so a later move there stays possible. */
const RESERVED_PREFIXES = ["hc:", "hcp:", "ibm:"];

/**
 * Checks what a request binds. Keys keep their case: two that differ in it are two keys.
 *
 * @param pointer JSON pointer to the list
 * @throws AppError `invalid`
 */
export function checkBindings(bindings: readonly AddedBinding[], pointer: string): void {
  checkNumber(bindings.length);
  const keys = new Set<string>();
  for (const [index, { key, value }] of bindings.entries()) {
    const at = `${pointer}/${index}/attributes`;
    checkKey(key, `${at}/key`);
    checkValue(value ?? "", `${at}/value`, key);
    if (keys.has(key)) throw invalid(`Key ${JSON.stringify(key)} is repeated`, `${at}/key`);
    keys.add(key);
  }
}

const ALLOWED = "may only contain letters, numbers and the characters _ . = + - @ :";

/** @param key that has it, where there are several @throws AppError `invalid` when it is no value */
export function checkValue(value: string, pointer: string, key?: string): void {
  const what = key === undefined ? "Value" : `Value of key ${quoted(key)}`;
  if (value.length > MAX_VALUE) throw invalid(`${what} is too long: at most ${MAX_VALUE} characters`, pointer);
  if (!CHARACTERS.test(value)) throw invalid(`${what} ${ALLOWED}`, pointer);
}

function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}

/** @throws AppError `invalid` when it is no key */
export function checkKey(key: string, pointer: string): void {
  if (key === "") throw invalid("Key can't be blank", pointer);
  if (key.length > MAX_KEY) throw invalid(`Key ${quoted(key)} is too long: at most ${MAX_KEY} characters`, pointer);
  if (!CHARACTERS.test(key)) throw invalid(`Key ${quoted(key)} ${ALLOWED}`, pointer);
  const prefix = RESERVED_PREFIXES.find((each) => key.toLowerCase().startsWith(each));
  if (prefix !== undefined) throw invalid(`Key must not start with ${prefix}, which is reserved`, pointer);
}

/** @throws AppError `invalid` when a holder would have too many */
export function checkNumber(bindings: number): void {
  if (bindings > MAX_BINDINGS) throw invalid(`cannot exceed ${MAX_BINDINGS} bindings per resource`);
}

/** The names that rows of the pool may have which somebody looks for by this one: as a flat tag, and as a key. */
export function soughtNames(name: string): string[] {
  const flat = soughtName(name);
  const isKey = name !== flat && name !== "" && name.length <= MAX_KEY && CHARACTERS.test(name);
  return [...(flat === undefined ? [] : [flat]), ...(isKey ? [name] : [])];
}

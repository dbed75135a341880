/** Keys and values as people write them: `env=prod`, or a key alone. */

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** Returns the text for a tag key with its value, as users read and write it. */
export function textOf({ key, value }: KeyValue): string {
  return value === "" ? key : `${key}=${value}`;
}

/**
 * Parses a text as a tag key with an optional value.
 *
 * @param known existing pairs: a text that equals one returns it, even when its key contains `=`
 */
export function keyValueOf(text: string, known: readonly KeyValue[]): KeyValue {
  const same = known.find((each) => textOf(each) === text);
  if (same !== undefined) return { key: same.key, value: same.value };
  const at = text.indexOf("=");
  return at === -1
    ? { key: text.trim(), value: "" }
    : { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** Names come from outside, so they are keys of `Map`s: `__proto__` and `constructor` are names like others. */
export type Identity = ReadonlyMap<string, IdentityValue>;
export type IdentityValue = string | readonly string[] | Identity;

export function isMap(value: IdentityValue | undefined): value is Identity {
  return value instanceof Map;
}

export function isList(value: IdentityValue | undefined): value is readonly string[] {
  return Array.isArray(value);
}

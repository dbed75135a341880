/** Which name a tag may get that has uses already: by renaming, or by taking the place of others. */
import { checkKey } from "../tag-bindings/keys.ts";
import { soughtName, tagName } from "./names.ts";

/** Tag that has the name already, as far as a new name needs it. */
export interface NamedBefore {
  name: string;
  /** Whether any workspace or project has it as a key. */
  isBound: boolean;
}

/** Checks whether only a key can have this name: no flat tag has such a name. */
function isKeyOnly(name: string): boolean {
  return soughtName(name) !== name;
}

/**
 * The name that they get. What somebody has as a key gets one that a key may have, in its very case where it is no name of a
 * flat tag.
 *
 * @param pointer JSON pointer to the name, for the error
 * @throws AppError `invalid` when it cannot be
 */
export function newName(before: readonly NamedBefore[], wanted: string, pointer: string): string {
  const isOfKey = before.some(({ name }) => isKeyOnly(name));
  const name = isOfKey ? wanted : tagName(wanted, pointer);
  if (isOfKey || before.some(({ isBound }) => isBound)) checkKey(name, pointer);
  return name;
}

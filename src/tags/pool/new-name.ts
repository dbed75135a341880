/** New names of tags that already have uses: by a rename, or by a merge of other tags. */
import { checkKey } from "../holders/bindings/keys.ts";
import { soughtName, tagName } from "./names.ts";

/** Tag that gets the new name, as it is before. */
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
 * Returns the new name of the tags. A tag that is used as a key gets a name that a key may have. The name keeps its
 * case when one of the present names cannot be that of a flat tag.
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

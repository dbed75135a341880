/** Tags as requests name them. */
import { tagName } from "../pool/names.ts";

/** A tag as a request names it: by its id, or by its name. */
export type TagReference = { id: string } | { name: string };

/**
 * Checks names before the transaction: those to attach must be valid and come back folded, duplicates once.
 *
 * @param pointer JSON pointer to the list
 * @throws AppError `invalid`
 */
export function checkReferences(references: readonly TagReference[], pointer: string): TagReference[] {
  const seen = new Map<string, TagReference>();
  for (const [index, reference] of references.entries()) {
    if ("id" in reference) seen.set(`id ${reference.id}`, reference);
    else {
      const name = tagName(reference.name, `${pointer}/${index}/attributes/name`);
      seen.set(`name ${name}`, { name });
    }
  }
  return [...seen.values()];
}

/** The ids and the names among references. */
export function partsOf(references: readonly TagReference[]): { ids: string[]; names: string[] } {
  return {
    ids: references.flatMap((reference) => ("id" in reference ? [reference.id] : [])),
    names: references.flatMap((reference) => ("name" in reference ? [reference.name] : [])),
  };
}

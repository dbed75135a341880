/** The tags of the pool that records name; those that it lacks are born by their first use. */
import type { Reader } from "../../../storage/database.ts";
import { findTagsByName } from "../../pool/store.ts";
import { newTag, type BulkTag } from "../../pool/uses.ts";

/**
 * Finds tags by their names, among the held ones and in the pool. New tags stand for names that the pool lacks.
 *
 * @param names with repetitions
 */
export async function findNamedTags(
  db: Reader,
  organization: string,
  names: readonly string[],
  held: readonly BulkTag[],
): Promise<Map<string, BulkTag>> {
  const known = new Map(held.map((tag) => [tag.name, tag]));
  const sought = [...new Set(names)].filter((name) => !known.has(name));
  for (const tag of await findTagsByName(db, organization, sought)) known.set(tag.name, tag);
  for (const name of sought) {
    if (known.has(name)) continue;
    known.set(name, newTag(name));
  }
  return known;
}

/** Searches by keys and values, as lists of workspaces and projects take them. */
import type { Reader } from "../../../storage/database.ts";
import { findTagsByName } from "../../pool/store.ts";
import { findFixedKeys, type TaggedFilter } from "./tagged-store.ts";

/** Keys and values that something must have. */
export interface TaggedSearch {
  /** Without a value, any will do. */
  wanted: { key: string; value: string | undefined }[];
  /** Whether one of them is enough. */
  isUnion: boolean;
}

/** The search in terms of what is stored; undefined when nothing can fit. */
export async function resolveTagged(
  db: Reader,
  organization: string,
  { wanted, isUnion }: TaggedSearch,
): Promise<TaggedFilter | undefined> {
  const keys = [...new Set(wanted.map(({ key }) => key))];
  const [tags, fixed] = await Promise.all([
    findTagsByName(db, organization, keys),
    findFixedKeys(db, organization, keys),
  ]);
  const known = new Map(tags.map((tag) => [tag.name, tag]));
  const tests = wanted.flatMap(({ key, value }) => {
    const tag = known.get(key);
    return tag === undefined
      ? []
      : [{ tag: tag.id, value, isInherited: tag.projectCount > 0, isFixed: fixed.has(key) }];
  });
  if (tests.length === 0 || (!isUnion && tests.length < wanted.length)) return undefined;
  return { tests, isUnion };
}

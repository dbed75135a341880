/**
 * Undoes the changes of a job to workspaces and projects. Each tag and each binding is undone for itself, and only
 * where nobody has changed it since. Tags are found by their ids or, when they have left the pool since, by their
 * names.
 */
import type { TagName, TagsChanged } from "../../changes/record.ts";
import type { Reader } from "../../../storage/database.ts";
import { NOT_HELD } from "../../holders/holder.ts";
import { bound, hasMark, withoutMark } from "../../holders/links.ts";
import type { Decide } from "../../holders/plan.ts";
import { asTag, BINDING, TAG } from "../../pool/marks.ts";
import { findTagsById, findTagsByName, type TagLink } from "../../pool/store.ts";
import { newTag, type BulkTag } from "../../pool/uses.ts";

/** Record details by the id of a workspace or a project. */
export type TagChangesById = ReadonlyMap<string, TagsChanged>;

/** The tags that records speak of. */
export interface KnownTags {
  /** Tags of the records. Tags that the undo adds again and that are not in the pool would be created. */
  all: BulkTag[];
  flat(tag: TagName): BulkTag | undefined;
  key(name: string): BulkTag | undefined;
}

export async function findKnownTags(db: Reader, organization: string, records: TagChangesById): Promise<KnownTags> {
  const changes = [...records.values()];
  const flat = changes.flatMap(({ tags }) => [...(tags?.added ?? []), ...(tags?.removed ?? [])]);
  const keys = changes.flatMap(({ bindings }) => [
    ...(bindings?.added ?? []),
    ...(bindings?.changed ?? []),
    ...(bindings?.removed ?? []),
  ]);
  const names = new Set([...flat.map(({ name }) => name), ...keys.map(({ key }) => key)]);
  const [named, identified] = await Promise.all([
    findTagsByName(db, organization, [...names]),
    findTagsById(db, organization, [...new Set(flat.map(({ id }) => id))]),
  ]);
  const byName = new Map<string, BulkTag>(named.map((tag) => [tag.name, tag]));
  const byId = new Map<string, BulkTag>(identified.map((tag) => [tag.id, byName.get(tag.name) ?? tag]));
  const putBack = changes.flatMap(({ tags, bindings }) => [
    ...(tags?.removed ?? []).flatMap(({ id, name }) => (byId.has(id) ? [] : [name])),
    ...(bindings?.removed ?? []).map(({ key }) => key),
  ]);
  for (const name of putBack) {
    if (byName.has(name)) continue;
    byName.set(name, newTag(name));
  }
  return {
    all: [...new Set([...byName.values(), ...byId.values()])],
    flat: ({ id, name }) => byId.get(id) ?? byName.get(name),
    key: (name) => byName.get(name),
  };
}

/**
 * Decides the links of workspaces and projects that undo the job.
 *
 * @param since is given the ids of those of which something was changed since
 */
export function takeBackLinks(records: TagChangesById, known: KnownTags, since: Set<string>, now: string): Decide {
  return (holder, held) => {
    const { tags, bindings } = records.get(holder) ?? {};
    const after = new Map<string, readonly [BulkTag, TagLink]>();

    /** @param isAsLeft whether the link is as the job left it */
    function revert(
      tag: BulkTag | undefined,
      isAsLeft: (link: TagLink) => boolean,
      to: (link: TagLink) => TagLink,
    ): void {
      const link = tag && (after.get(tag.id)?.[1] ?? held.get(tag.id) ?? NOT_HELD);
      if (tag !== undefined && link !== undefined && isAsLeft(link)) after.set(tag.id, [tag, to(link)]);
      else since.add(holder);
    }

    const isTagged = (link: TagLink) => hasMark(link, TAG);
    const isBound = (link: TagLink) => hasMark(link, BINDING);
    for (const tag of tags?.added ?? []) revert(known.flat(tag), isTagged, (link) => withoutMark(link, TAG));
    for (const tag of tags?.removed ?? []) {
      revert(
        known.flat(tag),
        (link) => !isTagged(link),
        (link) => ({ ...link, marks: asTag(link.marks) }),
      );
    }
    const has = (value: string) => (link: TagLink) => isBound(link) && link.value === value;
    for (const { key, value } of bindings?.added ?? []) {
      revert(known.key(key), has(value), (link) => withoutMark(link, BINDING));
    }
    for (const { key, from, to } of bindings?.changed ?? []) {
      revert(known.key(key), has(to), (link) => ({ ...link, value: from }));
    }
    for (const { key, value } of bindings?.removed ?? []) {
      revert(
        known.key(key),
        (link) => !isBound(link),
        (link) => bound(link, value, now),
      );
    }
    return after.values();
  };
}

/** Uses of many tags that change at once, as bulk work counts them. */
import { newId } from "../../ids.ts";
import type { Transaction } from "../../storage/database.ts";
import { addUses, bearTags, dropUses, idsOf, type UsedTag, type TagUses } from "./store.ts";

/** A tag that bulk work puts somewhere or takes off. */
export interface BulkTag extends UsedTag {
  name: string;
  /** Whether the tag is not in the pool yet: its first use creates it. */
  isNew?: boolean;
}

/** Uses that were added, less those that went, by the tag's id. */
export class UseCounts {
  private readonly byTag = new Map<string, TagUses>();

  add(tag: string, { workspaces, projects }: TagUses): void {
    const before = this.of(tag);
    this.byTag.set(tag, { workspaces: before.workspaces + workspaces, projects: before.projects + projects });
  }

  of(tag: string): TagUses {
    return this.byTag.get(tag) ?? { workspaces: 0, projects: 0 };
  }
}

/** A tag that the pool lacks, to be created by its first use. */
export function newTag(name: string, pinned = 0): BulkTag {
  return { id: newId("tag"), name, pinned, instanceCount: 0, projectCount: 0, isNew: true };
}

/**
 * Counts what a transaction has changed: a tag that had no use is created, one created by use leaves with its last. Tags with equal
 * counts share a statement.
 *
 * @param tags as they were before, each once
 */
export function settleUses(
  tx: Transaction,
  organization: string,
  tags: readonly BulkTag[],
  counts: UseCounts,
  now: string,
): void {
  const alike = Map.groupBy(tags, ({ id, isNew = false }) => {
    const { workspaces, projects } = counts.of(id);
    return `${isNew} ${workspaces} ${projects}`;
  });
  for (const some of alike.values()) {
    const [{ id, isNew }] = some as [BulkTag, ...BulkTag[]];
    const { workspaces, projects } = counts.of(id);
    if (isNew === true) {
      if (workspaces + projects > 0) bearTags(tx, organization, some, now, { workspaces, projects });
    } else if (workspaces < 0 || projects < 0) {
      dropUses(tx, organization, some, { workspaces: -workspaces, projects: -projects });
    } else if (workspaces > 0 || projects > 0) addUses(tx, idsOf(some), { workspaces, projects });
  }
}

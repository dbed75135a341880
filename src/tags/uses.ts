/** Uses of many tags that change at once, as bulk work counts them. */
import type { Transaction } from "../storage/database.ts";
import { addUses, bearTags, dropUses, type UsedTag, type TagUses } from "./store.ts";

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

/**
 * Counts what a transaction has changed, once for each tag: one that had none is born, one born by use leaves with its last.
 *
 * @param tags as they were before
 */
export function settleUses(
  tx: Transaction,
  organization: string,
  tags: readonly BulkTag[],
  counts: UseCounts,
  now: string,
): void {
  for (const tag of tags) {
    const { workspaces, projects } = counts.of(tag.id);
    if (tag.isNew === true) {
      if (workspaces + projects > 0) bearTags(tx, organization, [tag], now, { workspaces, projects });
    } else if (workspaces < 0 || projects < 0) {
      dropUses(tx, organization, [tag], { workspaces: -workspaces, projects: -projects });
    } else if (workspaces > 0 || projects > 0) addUses(tx, [tag.id], { workspaces, projects });
  }
}

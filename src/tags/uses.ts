/**
 * Uses of tags by workspaces, inside a transaction of their organization. A tag that does not exist is born by its first
 * use; one born by use leaves with its last. Counts of uses are kept here and nowhere else.
 */
import { addToOrganizationCounts } from "../organizations/store.ts";
import type { Transaction } from "../storage/database.ts";
import { deleteTags, insertTag, updateInstanceCounts, type NamedTag } from "./store.ts";

/** Adds tags that have their first use. */
export function bearTags(
  tx: Transaction,
  organization: string,
  tags: readonly { id: string; name: string }[],
  now: string,
): void {
  const first = { organizationId: organization, pinned: 0, instanceCount: 1, createdAt: now };
  for (const tag of tags) insertTag(tx, { ...tag, ...first });
  if (tags.length > 0) addToOrganizationCounts(tx, organization, { tags: tags.length });
}

/** Counts so many more uses of each of these tags. */
export function addUses(tx: Transaction, ids: readonly string[], uses: number): void {
  updateInstanceCounts(tx, ids, uses);
}

/** Counts so many uses fewer; tags born by use that have none left leave the pool. */
export function dropUses(
  tx: Transaction,
  organization: string,
  tags: readonly Pick<NamedTag, "id" | "pinned" | "instanceCount">[],
  uses: number,
): void {
  const { left = [], unused = [] } = Object.groupBy(tags, ({ pinned, instanceCount }) =>
    pinned === 0 && instanceCount === uses ? "unused" : "left",
  );
  updateInstanceCounts(tx, idsOf(left), -uses);
  if (unused.length === 0) return;
  deleteTags(tx, idsOf(unused));
  addToOrganizationCounts(tx, organization, { tags: -unused.length });
}

/** Their ids. */
export function idsOf(all: readonly { id: string }[]): string[] {
  return all.map(({ id }) => id);
}

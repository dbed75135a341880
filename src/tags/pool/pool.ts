/** Tags of the pool as bulk work changes them, inside a transaction of their organization; each change is on record. */
import { recordChange, type Author, type RecordedChange } from "../changes/record.ts";
import { addToOrganizationCounts } from "../../organizations/store.ts";
import type { Transaction } from "../../storage/database.ts";
import { deleteTags, idsOf, insertTag, renameTag, type NamedTag } from "./store.ts";

/** A tag as its records name it, and whether it stays in the pool without uses. */
export type PoolTag = Pick<NamedTag, "id" | "name" | "pinned">;

/**
 * Takes tags out of the pool that nothing holds any more when the transaction ends.
 *
 * @param into the name of the tag that takes their place, if one does
 */
export async function takeFromPool(
  author: Author,
  tx: Transaction,
  organizationId: string,
  tags: readonly PoolTag[],
  jobId: string,
  into?: string,
): Promise<void> {
  if (tags.length === 0) return;
  deleteTags(tx, idsOf(tags));
  addToOrganizationCounts(tx, organizationId, { tags: -tags.length });
  for (const { id, name, pinned } of tags) {
    const was = { name, pinned: pinned === 1 };
    const what: Pick<RecordedChange, "action" | "details"> =
      into === undefined ? { action: "deleted", details: was } : { action: "merged", details: { ...was, into } };
    await recordChange(tx, author, { organizationId, kind: "tag", objectId: id, name, ...what, jobId });
  }
}

/** Adds tags that stay without uses, of which the pool has none. */
export async function putIntoPool(
  author: Author,
  tx: Transaction,
  organizationId: string,
  tags: readonly { id: string; name: string }[],
  jobId: string,
): Promise<void> {
  if (tags.length === 0) return;
  const createdAt = new Date(author.now()).toISOString();
  for (const { id, name } of tags) {
    insertTag(tx, { id, name, organizationId, pinned: 1, createdAt, instanceCount: 0, projectCount: 0 });
    const objectId = id;
    const details = { name, pinned: true };
    await recordChange(tx, author, { organizationId, kind: "tag", objectId, name, action: "created", details, jobId });
  }
  addToOrganizationCounts(tx, organizationId, { tags: tags.length });
}

/** Gives a tag another name, which the pool does not have. */
export async function renameInPool(
  author: Author,
  tx: Transaction,
  organizationId: string,
  { id, name }: Pick<PoolTag, "id" | "name">,
  to: string,
  jobId: string,
): Promise<void> {
  renameTag(tx, id, to);
  const details = { from: name, to };
  await recordChange(tx, author, {
    organizationId,
    kind: "tag",
    objectId: id,
    name,
    action: "renamed",
    details,
    jobId,
  });
}

/** Tags that stay in the pool from now on, also without uses. */
import { recordChange, type Author } from "../changes/record.ts";
import type { Transaction } from "../../storage/database.ts";
import { takeFromPool } from "./pool.ts";
import { idsOf, pinTags, type NamedTag } from "./store.ts";

/** @param tags of the organization, none of which is pinned */
export async function pinInPool(
  author: Author,
  tx: Transaction,
  organizationId: string,
  tags: readonly { id: string; name: string }[],
  jobId: string,
): Promise<void> {
  pinTags(tx, idsOf(tags));
  const details = { from: { pinned: false }, to: { pinned: true } };
  for (const { id: objectId, name } of tags) {
    await recordChange(tx, author, { organizationId, kind: "tag", objectId, name, action: "updated", details, jobId });
  }
}

/** Lets tags leave with their last use again; those that have none leave now. @param tags which are pinned */
export async function unpinInPool(
  author: Author,
  tx: Transaction,
  organizationId: string,
  tags: readonly NamedTag[],
  jobId: string,
): Promise<void> {
  const isUsed = ({ instanceCount, projectCount }: NamedTag) => instanceCount + projectCount > 0;
  const used = tags.filter(isUsed);
  pinTags(tx, idsOf(used), 0);
  const details = { from: { pinned: true }, to: { pinned: false } };
  for (const { id: objectId, name } of used) {
    await recordChange(tx, author, { organizationId, kind: "tag", objectId, name, action: "updated", details, jobId });
  }
  await takeFromPool(
    author,
    tx,
    organizationId,
    tags.filter((tag) => !isUsed(tag)),
    jobId,
  );
}

/** Undoes the changes of a job to tags of the pool themselves, where nobody has changed them since. */
import { authorize } from "../../../rights/authorize.ts";
import type { StoredChange } from "../../changes/store.ts";
import type { Context } from "../../../context.ts";
import { newId } from "../../../ids.ts";
import type { Organization } from "../../../organizations/store.ts";
import type { Transaction } from "../../../storage/database.ts";
import { judgeNames, loadTagPolicy, refusedBy, RULED } from "../../rules/enforce.ts";
import { unpinInPool } from "../../pool/pin.ts";
import { putIntoPool, renameInPool, takeFromPool } from "../../pool/pool.ts";
import { findTagsById, findTagsByName } from "../../pool/store.ts";
import type { Job, SliceResult } from "../job.ts";
import { judgeRename } from "../on-pool/names.ts";
import { warnedOf } from "../warned.ts";

interface TagDetails {
  name?: string;
  pinned?: boolean;
  from?: string;
  to?: string;
}

type Taken = Pick<SliceResult, "changed" | "refused" | "warned">;

/** @param records of one action, each of another tag; of renames only one */
export async function takeBackTags(
  ctx: Context,
  tx: Transaction,
  job: Job,
  organization: Organization,
  records: readonly StoredChange[],
): Promise<Taken> {
  if (!authorize(ctx.actor, "organization", organization.name, "write")) {
    return { changed: 0, refused: { "not-allowed": records.length } };
  }
  switch (records[0]?.action) {
    case "deleted":
    case "merged":
      return putBack(ctx, tx, job, records);
    case "created":
      return takeAway(ctx, tx, job, records);
    case "renamed":
      return renameBack(ctx, tx, job, records);
    case "updated":
      return unpin(ctx, tx, job, records);
    default:
      return { changed: 0, refused: { "cannot-be-undone": records.length } };
  }
}

/** Creates pinned tags again, with another id. Other tags return with their first use. */
async function putBack(ctx: Context, tx: Transaction, job: Job, records: readonly StoredChange[]): Promise<Taken> {
  const names = records.filter((record) => detailsOf(record).pinned === true).map(({ name }) => name);
  const taken = new Set((await findTagsByName(tx, job.organizationId, names)).map(({ name }) => name));
  const missing = names.filter((name) => !taken.has(name));
  const verdict = judgeNames(await loadTagPolicy(tx, job.organizationId), missing);
  const ruled = refusedBy(verdict);
  const allowed = missing.filter((name) => !ruled.has(name));
  const made = allowed.map((name) => ({ id: newId("tag"), name }));
  await putIntoPool(ctx, tx, job.organizationId, made, job.id);
  return {
    changed: allowed.length,
    refused: { "changed-since": taken.size, [RULED]: ruled.size },
    warned: warnedOf(verdict, allowed),
  };
}

async function takeAway(ctx: Context, tx: Transaction, job: Job, records: readonly StoredChange[]): Promise<Taken> {
  const found = await findTagsById(tx, job.organizationId, idsOf(records));
  const names = new Map(records.map(({ objectId, name }) => [objectId, name]));
  const unused = found.filter(
    ({ id, name, instanceCount, projectCount }) => names.get(id) === name && instanceCount + projectCount === 0,
  );
  await takeFromPool(ctx, tx, job.organizationId, unused, job.id);
  return { changed: unused.length, refused: { "changed-since": records.length - unused.length } };
}

/** Records of a change that is no more than this say that tags stay without uses from then on. */
async function unpin(ctx: Context, tx: Transaction, job: Job, records: readonly StoredChange[]): Promise<Taken> {
  const found = await findTagsById(tx, job.organizationId, idsOf(records));
  const pinned = found.filter(({ pinned: isPinned }) => isPinned === 1);
  await unpinInPool(ctx, tx, job.organizationId, pinned, job.id);
  return { changed: pinned.length, refused: { "changed-since": records.length - pinned.length } };
}

function idsOf(records: readonly StoredChange[]): string[] {
  return records.map(({ objectId }) => objectId);
}

async function renameBack(ctx: Context, tx: Transaction, job: Job, records: readonly StoredChange[]): Promise<Taken> {
  const refused = { "changed-since": 1 };
  const [record] = records;
  const { from, to } = record === undefined ? {} : detailsOf(record);
  if (record === undefined || from === undefined) return { changed: 0, refused };
  const [[tag], taken] = await Promise.all([
    findTagsById(tx, job.organizationId, [record.objectId]),
    findTagsByName(tx, job.organizationId, [from]),
  ]);
  if (tag === undefined || tag.name !== to || taken.length > 0) return { changed: 0, refused };
  const warned = await judgeRename(tx, job.organizationId, tag, from);
  if (warned === undefined) return { changed: 0, refused: { [RULED]: 1 } };
  await renameInPool(ctx, tx, job.organizationId, tag, from, job.id);
  return { changed: 1, warned };
}

function detailsOf({ details }: StoredChange): TagDetails {
  return JSON.parse(details) as TagDetails;
}

/** Applies the tag policy to tags that jobs delete from the pool. */
import type { Reader } from "../../../storage/database.ts";
import { loadTagPolicy, refusedBy, requiredKeys, type Verdict } from "../../rules/enforce.ts";
import { judgePool } from "../../rules/judge-pool.ts";
import { findTagsByName, type NamedTag } from "../../pool/store.ts";
import { findNamed } from "./names.ts";
import { fits, type PoolRequest } from "../request.ts";

/** Tags that are to be deleted: the allowed ones, and those that the tag policy keeps. */
export interface JudgedDeletion {
  allowed: NamedTag[];
  refused: NamedTag[];
  verdict: Verdict;
}

/** @param db the transaction, where they are to be deleted */
export async function judgeDeletion(
  db: Reader,
  organization: string,
  tags: readonly NamedTag[],
): Promise<JudgedDeletion> {
  const verdict = await judgePool(db, await loadTagPolicy(db, organization), { tags });
  const refused = refusedBy(verdict);
  return {
    allowed: tags.filter(({ name }) => !refused.has(name)),
    refused: tags.filter(({ name }) => refused.has(name)),
    verdict,
  };
}

/**
 * Judges the deletion of all tags that a job deletes, with any number of tags: rules name the few that they might keep.
 */
export async function judgeWholeDeletion(
  db: Reader,
  organization: string,
  { selection }: Extract<PoolRequest, { action: "delete" }>,
): Promise<JudgedDeletion> {
  const policy = await loadTagPolicy(db, organization);
  const required = policy === undefined ? [] : await findTagsByName(db, organization, requiredKeys(policy));
  if ("filter" in selection)
    return judgeDeletion(
      db,
      organization,
      required.filter((tag) => fits(selection.filter, tag)),
    );
  const named = new Set((await findNamed(db, organization, selection.names)).map(({ id }) => id));
  return judgeDeletion(
    db,
    organization,
    required.filter(({ id }) => named.has(id)),
  );
}

/** How much of the work of a job these are: each tag, and each of its uses. */
export function workOf(tags: readonly NamedTag[]): number {
  return tags.reduce((sum, { instanceCount, projectCount }) => sum + 1 + instanceCount + projectCount, 0);
}

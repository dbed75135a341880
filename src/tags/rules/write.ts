/** Changes an organization's rules for tags, with the record of it, inside a transaction of the organization. */
import { recordChange, type Author, type RecordedChange } from "../changes/record.ts";
import { newId } from "../../ids.ts";
import type { Transaction } from "../../storage/database.ts";
import { policyAsJson } from "./as-json.ts";
import { deleteTagPolicy, insertTagPolicy, updateTagPolicy, type StoredTagPolicy } from "./store.ts";

/** Content of a policy. */
export type SaidPolicy = Pick<StoredTagPolicy, "enforce" | "rules">;

/**
 * Replaces the rules of the policy with exactly these. An unchanged policy is neither written nor recorded.
 *
 * @param before as it is in this transaction
 * @param said rules that have been checked, whose projects are the organization's
 * @param jobId the job that it is part of; empty for none
 * @returns the policy from then on
 */
export async function writeTagPolicy(
  author: Author,
  tx: Transaction,
  organizationId: string,
  before: StoredTagPolicy | undefined,
  { enforce, rules }: SaidPolicy,
  jobId = "",
): Promise<StoredTagPolicy> {
  const now = new Date(author.now()).toISOString();
  if (before === undefined) {
    const made = { id: newId("tpol"), organizationId, enforce, rules, createdAt: now, updatedAt: now };
    insertTagPolicy(tx, made);
    await record(author, tx, made, { action: "created", details: policyAsJson(made), jobId });
    return made;
  }
  const after = { ...before, enforce, rules, updatedAt: now };
  if (saysSame(before, after)) return before;
  updateTagPolicy(tx, after);
  const details = { from: policyAsJson(before), to: policyAsJson(after) };
  await record(author, tx, after, { action: "updated", details, jobId });
  return after;
}

/** Takes the rules away. @param policy as it is in this transaction */
export async function dropTagPolicy(
  author: Author,
  tx: Transaction,
  policy: StoredTagPolicy,
  jobId = "",
): Promise<void> {
  deleteTagPolicy(tx, policy.organizationId);
  await record(author, tx, policy, { action: "deleted", details: policyAsJson(policy), jobId });
}

/** Whether two policies say the same, in the same order. */
export function saysSame(one: SaidPolicy, other: SaidPolicy): boolean {
  return JSON.stringify(policyAsJson(one)) === JSON.stringify(policyAsJson(other));
}

/** An organization has one policy, which has no name. */
function record(
  author: Author,
  tx: Transaction,
  { id: objectId, organizationId }: StoredTagPolicy,
  what: Pick<RecordedChange, "action" | "details" | "jobId">,
): Promise<void> {
  return recordChange(tx, author, { organizationId, kind: "tag-policy", objectId, name: "", ...what });
}

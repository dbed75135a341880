/** Undoes the changes of a job to the tag policy, where the policy is still as the job left it. */
import { authorize } from "../../../rights/authorize.ts";
import type { StoredChange } from "../../changes/store.ts";
import type { Context } from "../../../context.ts";
import type { Organization } from "../../../organizations/store.ts";
import type { Transaction } from "../../../storage/database.ts";
import { readRules, type WireRule } from "../../rules/read-rules.ts";
import type { Enforcement } from "../../rules/rule.ts";
import { findTagPolicy } from "../../rules/store.ts";
import { dropTagPolicy, saysSame, writeTagPolicy, type SaidPolicy } from "../../rules/write.ts";
import type { Job, SliceResult } from "../job.ts";

interface Said {
  enforce: Enforcement;
  rules: readonly WireRule[];
}

type Details = Said | { from: Said; to: Said };

/** @param records one, since an organization has one policy */
export async function takeBackPolicy(
  ctx: Context,
  tx: Transaction,
  job: Job,
  organization: Organization,
  records: readonly StoredChange[],
): Promise<Pick<SliceResult, "changed" | "refused">> {
  if (!authorize(ctx.actor, "organization", organization.name, "write")) {
    return { changed: 0, refused: { "not-allowed": records.length } };
  }
  let changed = 0;
  for (const record of records) if (await takeBack(ctx, tx, job, record)) changed += 1;
  return { changed, refused: { "changed-since": records.length - changed } };
}

/** Rules for a project that is gone come back as they were, and are asked of nobody. */
async function takeBack(ctx: Context, tx: Transaction, job: Job, record: StoredChange): Promise<boolean> {
  const { organizationId, id: jobId } = job;
  const details = JSON.parse(record.details) as Details;
  const [before, made] = "from" in details ? [details.from, details.to] : [undefined, details];
  const current = await findTagPolicy(tx, organizationId);
  if (record.action === "deleted") {
    if (current === undefined) await writeTagPolicy(ctx, tx, organizationId, undefined, policyOf(made), jobId);
    return current === undefined;
  }
  if (current?.id !== record.objectId || !saysSame(current, policyOf(made))) return false;
  if (before === undefined) await dropTagPolicy(ctx, tx, current, jobId);
  else await writeTagPolicy(ctx, tx, organizationId, current, policyOf(before), jobId);
  return true;
}

function policyOf({ enforce, rules }: Said): SaidPolicy {
  return { enforce, rules: readRules(rules) };
}

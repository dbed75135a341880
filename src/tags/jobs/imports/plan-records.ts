/** Plans records of whatever kind, some at a time. */
import type { Context } from "../../../context.ts";
import type { Reader } from "../../../storage/database.ts";
import { startPlanning, type ImportMode, type ImportPlan, type StoredOf } from "./plan.ts";
import { planPolicyRecord } from "./plan-policy.ts";
import { planReservedRecords, planTagRecords } from "./plan-pool.ts";
import { planProjectRecords } from "./plan-projects.ts";
import { planWorkspaceRecords } from "./plan-workspaces.ts";
import type { StoredRecord } from "./store.ts";

/**
 * @param records of one kind, as `firstKind` gives them, each of another object
 * @throws AppError `not_found` when the organization is gone
 */
export async function planRecords(
  ctx: Pick<Context, "actor" | "now">,
  db: Reader,
  organizationId: string,
  mode: ImportMode,
  records: readonly StoredRecord[],
): Promise<ImportPlan> {
  const planning = await startPlanning(ctx, db, organizationId, mode);
  const [first] = records;
  switch (first?.record.kind) {
    case "tag":
      return planTagRecords(planning, records as StoredOf<"tag">[]);
    case "reserved-tag-key":
      return planReservedRecords(planning, records as StoredOf<"reserved-tag-key">[]);
    case "project":
      return planProjectRecords(planning, records as StoredOf<"project">[]);
    case "workspace":
      return planWorkspaceRecords(planning, records as StoredOf<"workspace">[]);
    case "tag-policy":
      return planPolicyRecord(planning, first as StoredOf<"tag-policy">);
    case undefined:
      return { outcomes: [], write: () => Promise.resolve() };
  }
}

/** Returns the first records that follow one another and are of one kind. */
export function firstKind(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const end = records.findIndex(({ record }) => record.kind !== records[0]?.record.kind);
  return end === -1 ? records : records.slice(0, end);
}

/** Plans the changes of a file to workspaces. */
import { authorize } from "../../../rights/authorize.ts";
import { fold } from "../../../fold.ts";
import type { Reader } from "../../../storage/database.ts";
import { findProjectLinks } from "../../holders/project-store.ts";
import type { Carrier } from "../../holders/holder.ts";
import { WORKSPACES } from "../../holders/workspaces.ts";
import type { BulkTag } from "../../pool/uses.ts";
import { findNamedTags } from "./named-tags.ts";
import { planTargets, type InheritedTags, type Target } from "./plan-holders.ts";
import { refusedOutcome, type ImportPlan, type Planning, type StoredOf } from "./plan.ts";
import { findByKeys, listHeld } from "./plan-store.ts";

type Stored = StoredOf<"workspace">;

/** @param records each of another workspace */
export async function planWorkspaceRecords(planning: Planning, records: readonly Stored[]): Promise<ImportPlan> {
  const { ctx, db, organization, mode } = planning;
  const found = await findByKeys(
    db,
    organization.id,
    records.map(({ record }) => fold(record.name)),
  );
  const may = (name: string, access: "read" | "write") =>
    authorize(ctx.actor, "workspace", `${organization.name}/${name}`, access);
  const targetOf = (stored: Stored): Target<Carrier> | undefined => {
    const holder = found.get(fold(stored.record.name));
    return holder === undefined || !may(holder.name, "write") ? undefined : { holder, stored, stated: stored.record };
  };
  const targets = records.flatMap((stored) => targetOf(stored) ?? []);
  const ids = targets.map(({ holder }) => holder.id);
  const held = mode === "replace" ? await listHeld(db, "workspaces", ids) : [];
  const names = targets.flatMap(({ stated: { tags, bindings } }) => [...tags, ...bindings.map(({ key }) => key)]);
  const tags = await findNamedTags(db, organization.id, names, held);
  const inherited = await findInherited(db, targets, tags);
  const plan = await planTargets(planning, WORKSPACES, targets, tags, inherited);
  return {
    outcomes: records.map((stored) => {
      const workspace = found.get(fold(stored.record.name));
      // A workspace that the caller may not read is reported as missing.
      if (workspace === undefined || !may(workspace.name, "read")) return refusedOutcome(stored, "missing");
      const target = targetOf(stored);
      return target === undefined ? refusedOutcome(stored, "not-allowed") : plan.outcomeOf(target);
    }),
    write: plan.write,
  };
}

/** Keys that workspaces inherit whose records name keys without values. */
async function findInherited(
  db: Reader,
  targets: readonly Target<Carrier>[],
  tags: ReadonlyMap<string, BulkTag>,
): Promise<InheritedTags> {
  const asking = targets.filter(({ stated }) => stated.bindings.some(({ value }) => value === undefined));
  if (asking.length === 0) return new Map();
  const keys = asking.flatMap(({ stated }) => stated.bindings.map(({ key }) => tags.get(key)?.id ?? ""));
  const projects = asking.map(({ holder }) => holder.projectId);
  const links = await findProjectLinks(db, [...new Set(keys)], [...new Set(projects)]);
  return new Map(asking.map(({ holder }) => [holder.id, links.get(holder.projectId) ?? new Map()]));
}

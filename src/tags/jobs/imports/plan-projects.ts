/** Plans the changes of a file to projects. */
import { fold } from "../../../fold.ts";
import type { Holder } from "../../holders/holder.ts";
import { PROJECTS } from "../../holders/projects.ts";
import { findNamedTags } from "./named-tags.ts";
import { planTargets, type Target } from "./plan-holders.ts";
import { planOf, refusedOutcome, type ImportPlan, type Planning, type StoredOf } from "./plan.ts";
import { findProjectsByKeys, listHeld } from "./plan-store.ts";

type Stored = StoredOf<"project">;

/** @param records each of another project */
export async function planProjectRecords(planning: Planning, records: readonly Stored[]): Promise<ImportPlan> {
  const { db, organization, mode, isWriter } = planning;
  if (!isWriter) return planOf(records.map((stored) => refusedOutcome(stored, "not-allowed")));
  const found = await findProjectsByKeys(
    db,
    organization.id,
    records.map(({ record }) => fold(record.name)),
  );
  const targetOf = (stored: Stored): Target<Holder> | undefined => {
    const holder = found.get(fold(stored.record.name));
    return holder && { holder, stored, stated: { tags: [], bindings: stored.record.bindings } };
  };
  const targets = records.flatMap((stored) => targetOf(stored) ?? []);
  const ids = targets.map(({ holder }) => holder.id);
  const held = mode === "replace" ? await listHeld(db, "projects", ids) : [];
  const keys = records.flatMap(({ record }) => record.bindings.map(({ key }) => key));
  const tags = await findNamedTags(db, organization.id, keys, held);
  const plan = await planTargets(planning, PROJECTS, targets, tags, new Map());
  return {
    outcomes: records.map((stored) => {
      const target = targetOf(stored);
      return target === undefined ? refusedOutcome(stored, "missing") : plan.outcomeOf(target);
    }),
    write: plan.write,
  };
}

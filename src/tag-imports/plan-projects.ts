/** Plans the changes of a file to projects. */
import { fold } from "../acl/rules/fold.ts";
import { planProjects, writeProjects } from "../tag-bindings/bulk.ts";
import { refusedBy, RULED } from "../tag-policies/enforce.ts";
import { settleUses, UseCounts, type BulkTag } from "../tags/uses.ts";
import { brokenRules } from "../tag-jobs/warned.ts";
import { findNamedTags } from "./named-tags.ts";
import { planOf, refusedOutcome, type RecordOutcome, type ImportPlan, type Planning, type StoredOf } from "./plan.ts";
import { findProjectsByKeys, listHeld } from "./plan-store.ts";
import { valueEntry } from "./plan-workspaces.ts";

type Stored = StoredOf<"project">;

/** @param records each of another project */
export async function planProjectRecords(planning: Planning, records: readonly Stored[]): Promise<ImportPlan> {
  const { ctx, db, organization, mode, isWriter } = planning;
  if (!isWriter) return planOf(records.map((stored) => refusedOutcome(stored, "not-allowed")));
  const found = await findProjectsByKeys(
    db,
    organization.id,
    records.map(({ record }) => fold(record.name)),
  );
  const projects = [...found.values()];
  const recordOf = new Map(
    records.flatMap(({ record }) => {
      const project = found.get(fold(record.name));
      return project === undefined ? [] : [[project.id, record] as const];
    }),
  );
  const held = mode === "replace" ? await listHeld(db, "projects", [...recordOf.keys()]) : [];
  const keys = records.flatMap(({ record }) => record.bindings.map(({ key }) => key));
  const tags = await findNamedTags(db, organization.id, keys, held);
  const { changes, full, verdict } = await planProjects(db, projects, [...tags.values()], (id, holding) =>
    decide(recordOf.get(id), tags, holding, mode === "replace"),
  );
  const ruled = refusedBy(verdict);
  const changeOf = new Map(changes.map((change) => [change.project.id, change]));

  function outcomeOf(stored: Stored): RecordOutcome {
    const project = found.get(fold(stored.record.name));
    if (project === undefined) return refusedOutcome(stored, "missing");
    if (full.has(project.id)) return refusedOutcome(stored, "full");
    if (ruled.has(project.id)) return refusedOutcome(stored, RULED);
    const diff = changeOf.get(project.id)?.diff ?? [];
    const entries = diff.flatMap(({ key, before, after }) => valueEntry(key, before, after));
    const unchanged = stored.record.bindings.length - entries.filter(({ action }) => action !== "remove").length;
    return { stored, entries, unchanged, refused: undefined, warned: brokenRules(verdict, project.id) };
  }

  return {
    outcomes: records.map(outcomeOf),
    async write(author, tx, jobId) {
      const counts = new UseCounts();
      await writeProjects(author, tx, changes, counts, jobId);
      settleUses(tx, organization.id, [...tags.values()], counts, new Date(ctx.now()).toISOString());
    },
  };
}

function* decide(
  record: Stored["record"] | undefined,
  tags: ReadonlyMap<string, BulkTag>,
  held: ReadonlyMap<string, string>,
  replaces: boolean,
): Generator<readonly [BulkTag, string | undefined]> {
  if (record === undefined) return;
  const values = new Map(record.bindings.map(({ key, value }) => [key, value]));
  for (const [key, value] of values) {
    const tag = tags.get(key);
    // When the record replaces the stored state, a missing value means the empty value. Otherwise the value stays.
    if (tag !== undefined) yield [tag, value ?? (replaces ? "" : (held.get(tag.id) ?? ""))];
  }
  for (const tag of replaces ? tags.values() : []) if (!values.has(tag.name)) yield [tag, undefined];
}

/** Plans the changes of a file to the tag policy of the organization. */
import { fold } from "../../../fold.ts";
import { AppError } from "../../../errors.ts";
import type { Reader } from "../../../storage/database.ts";
import { findBulkProjects } from "../../holders/bindings/bulk-store.ts";
import { DEFAULT_ENFORCEMENT } from "../../files/policy-record.ts";
import { ruleAsJson } from "../../rules/as-json.ts";
import { checkRules, type TagRule } from "../../rules/rule.ts";
import { findTagPolicy } from "../../rules/store.ts";
import { writeTagPolicy, type SaidPolicy } from "../../rules/write.ts";
import { planOf, refusedOutcome, type ImportEntry, type ImportPlan, type Planning, type StoredOf } from "./plan.ts";
import { findProjectsByKeys } from "./plan-store.ts";
import { valueEntry } from "./plan-holders.ts";

/** @param stored the file's only one */
export async function planPolicyRecord(planning: Planning, stored: StoredOf<"tag-policy">): Promise<ImportPlan> {
  const { db, organization, mode, isWriter } = planning;
  if (!isWriter) return planOf([refusedOutcome(stored, "not-allowed")]);
  const { enforce, rules: given } = stored.record;
  const [before, own] = await Promise.all([findTagPolicy(db, organization.id), withIds(db, organization.id, given)]);
  if (own === undefined) return planOf([refusedOutcome(stored, "missing")]);
  const kept = mode === "merge" ? before?.enforce : undefined;
  const after = {
    enforce: enforce ?? kept ?? DEFAULT_ENFORCEMENT,
    rules: mode === "replace" ? own : merged(before?.rules ?? [], own),
  };
  if (!isRoomFor(after.rules)) return planOf([refusedOutcome(stored, "full")]);
  const ids = [...(before?.rules ?? []), ...after.rules].flatMap(({ project }) => project ?? []);
  const names = new Map((await findBulkProjects(db, organization.id, ids)).map(({ id, name }) => [id, name]));
  const entries = entriesOf(before, after, (rule) => textOf(rule, names));
  const said = 1 + own.length;
  const changed = entries.filter(({ action, key }) => action !== "remove" && key !== ORDER).length;
  return {
    outcomes: [{ stored, entries, unchanged: said - changed, refused: undefined }],
    async write(author, tx, jobId) {
      await writeTagPolicy(author, tx, organization.id, before, after, jobId);
    },
  };
}

/** The rules with the ids of their projects; undefined where there is no such project. */
async function withIds(db: Reader, organization: string, rules: readonly TagRule[]): Promise<TagRule[] | undefined> {
  const keys = rules.flatMap(({ project }) => (project === undefined ? [] : [fold(project)]));
  const found = await findProjectsByKeys(db, organization, [...new Set(keys)]);
  if (keys.some((key) => !found.has(key))) return undefined;
  return rules.map((rule) => ({
    ...rule,
    project: rule.project === undefined ? undefined : found.get(fold(rule.project))?.id,
  }));
}

/** Rules of the same name take the place of what is there, the others come behind. */
function merged(before: readonly TagRule[], given: readonly TagRule[]): TagRule[] {
  const byName = new Map(before.map((rule) => [rule.name, rule]));
  for (const rule of given) byName.set(rule.name, rule);
  return [...byName.values()];
}

/** Each is one that a policy may have. */
function isRoomFor(rules: readonly TagRule[]): boolean {
  try {
    checkRules(rules, "");
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Key of the change when only the order of the rules changes. */
const ORDER = "rules";

function entriesOf(
  before: SaidPolicy | undefined,
  after: SaidPolicy,
  textOfRule: (rule: TagRule) => string,
): ImportEntry[] {
  const [was, is] = [before?.rules ?? [], after.rules].map(
    (rules) => new Map(rules.map((rule) => [rule.name, textOfRule(rule)])),
  ) as [Map<string, string>, Map<string, string>];
  const names = [...new Set([...is.keys(), ...was.keys()])];
  const entries = [
    ...valueEntry("enforce", before?.enforce, after.enforce),
    ...names.flatMap((name) => valueEntry(`rules/${name}`, was.get(name), is.get(name))),
  ];
  if (entries.length > 0) return entries;
  return valueEntry(ORDER, JSON.stringify([...was.keys()]), JSON.stringify([...is.keys()]));
}

/** As in the file. */
function textOf(rule: TagRule, names: ReadonlyMap<string, string>): string {
  const { project } = rule;
  return JSON.stringify(ruleAsJson(project === undefined ? rule : { ...rule, project: names.get(project) ?? project }));
}

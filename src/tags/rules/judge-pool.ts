/** Judges what becomes of tags of the pool, which all that carry them follow: by names and values, without looking at each. */
import type { Reader } from "../../storage/database.ts";
import { wrongTexts, type Violation } from "./check.ts";
import { judgeNames, NO_VERDICT, type TagPolicy, type Verdict } from "./enforce.ts";
import { listValuesOf } from "./states-store.ts";

/** A tag of the pool that goes, or becomes another one. */
export interface JudgedTag {
  id: string;
  name: string;
  /** How many workspaces and projects have it. */
  instanceCount: number;
  projectCount: number;
}

/** Change of tags: they are deleted, or all of them are renamed to `to`, which may exist already. */
export interface PoolChange {
  tags: readonly JudgedTag[];
  to?: { name: string; isNew: boolean } | undefined;
}

/**
 * Judges a change of the pool: a key that is required and in use does not go, and no key gets values that it may not have.
 * Rules for some project count for all, since it would take long to find out who of those concerned is in it.
 *
 * @returns what is broken, by the names of the tags, and what the new name itself breaks by that
 */
export async function judgePool(db: Reader, policy: TagPolicy | undefined, { tags, to }: PoolChange): Promise<Verdict> {
  if (policy === undefined) return NO_VERDICT;
  const used = tags.filter((tag) => tag.instanceCount + tag.projectCount > 0 && tag.name !== to?.name);
  const broken = new Map<string, readonly Violation[]>();
  for (const tag of used) {
    const violations = requiring(policy, tag.name);
    if (to !== undefined) violations.push(...(await wrongValues(db, policy, tag, to.name)));
    if (violations.length > 0) broken.set(tag.name, violations);
  }
  if (to?.isNew === true)
    for (const [name, violations] of judgeNames(policy, [to.name]).broken) broken.set(name, violations);
  return { enforce: policy.enforce, broken };
}

function requiring({ rules: { rules } }: TagPolicy, key: string): Violation[] {
  return rules
    .filter(({ requiredKeys = [] }) => requiredKeys.includes(key))
    .map(({ name }) => ({
      rule: name,
      kind: "required",
      subject: key,
      detail: `The key ${key} is required, and in use`,
    }));
}

/** Different values that are compared; a key with more breaks the rule. */
const MAX_VALUES = 1000;

/** @returns the first that is broken */
async function wrongValues(
  db: Reader,
  { rules: { rules, patterns } }: TagPolicy,
  { id, name }: JudgedTag,
  key: string,
): Promise<Violation[]> {
  const bounding = rules.filter((rule) => rule.key === key).map((rule) => ({ ...rule, project: undefined }));
  if (bounding.length === 0) return [];
  const values = await listValuesOf(db, id, MAX_VALUES + 1);
  if (values.length > MAX_VALUES) {
    const detail = `The key ${name} has too many values to compare with the values of ${key}`;
    return bounding.map((rule) => ({ rule: rule.name, kind: "limit", subject: key, detail }));
  }
  const compiled = { rules: bounding, patterns };
  for (const value of values) {
    const wrong = wrongTexts(compiled, { projectId: "", tags: [], bindings: [{ key, value }] });
    const [first] = wrong.filter(({ kind }) => kind !== "name");
    if (first !== undefined) return [first];
  }
  return [];
}

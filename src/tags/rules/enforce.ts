/**
 * Applies the tag policy to writes. A write is judged by what it sets and by what it makes worse: a workspace that was
 * non-compliant before may be changed in other ways. Every write that adds or removes tags loads the policy in its
 * transaction and has itself judged before it is executed; `judge.ts` reads the data of workspaces that this needs.
 */
import { AppError } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import {
  checkTagRules,
  compileTagRules,
  fullWork,
  missingKeys,
  wrongTexts,
  type CompiledTagRules,
  type TagState,
  type Violation,
} from "./check.ts";
import type { Enforcement } from "./rule.ts";
import { findTagPolicy } from "./store.ts";

/** The rules of an organization, ready to be asked. */
export interface TagPolicy {
  enforce: Enforcement;
  rules: CompiledTagRules;
}

/** Warning, in the response to a write, of a rule that the write breaks. */
export type TagWarning = Pick<Violation, "rule" | "detail">;

/** A write of a workspace, or of its tags alone. */
export interface TagWrite {
  /** Undefined for a workspace that is being made. */
  before: TagState | undefined;
  after: TagState;
  /** Names and keys that the request itself gives. */
  sets: readonly string[];
}

/** Verdict of a policy on writes: violations by the id of the workspace or project, or by the name of the tag. */
export interface Verdict {
  enforce: Enforcement;
  broken: ReadonlyMap<string, readonly Violation[]>;
}

/** How jobs call it that rules refuse something. */
export const RULED = "tag-rule";

/** No rule is broken. */
export const NO_VERDICT: Verdict = { enforce: "advise", broken: new Map() };

/** Returns the ids and names that the policy refuses to write. */
export function refusedBy({ enforce, broken }: Verdict): ReadonlySet<string> {
  return new Set(enforce === "refuse" ? broken.keys() : []);
}

/** Warnings of one answer. */
const MAX_WARNINGS = 100;

/**
 * Returns the warnings for the response to a write that succeeds or fails as a whole.
 *
 * @throws AppError `invalid` with the rule's name, where the policy refuses
 */
export function warningsOf({ enforce, broken }: Verdict): TagWarning[] {
  const violations = [...broken.values()].flat();
  const [first, ...others] = violations;
  if (first === undefined) return [];
  if (enforce === "refuse") {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    throw new AppError("invalid", `Tag policy rule ${JSON.stringify(first.rule)}: ${first.detail}${more}`);
  }
  const texts = new Map(violations.map(({ rule, detail }) => [JSON.stringify([rule, detail]), { rule, detail }]));
  return [...texts.values()].slice(0, MAX_WARNINGS);
}

/** The rules of an organization, ready to be asked; undefined when it has none. One read of a row by its key. */
export async function loadTagPolicy(db: Reader, organizationId: string): Promise<TagPolicy | undefined> {
  const stored = await findTagPolicy(db, organizationId);
  return stored && { enforce: stored.enforce, rules: compileTagRules(stored.rules) };
}

/** Judges names that come into the pool, by the rules for all projects. */
export function judgeNames(policy: TagPolicy | undefined, names: readonly string[]): Verdict {
  if (policy === undefined) return NO_VERDICT;
  const work = fullWork();
  const broken = new Map<string, Violation[]>();
  for (const name of names) {
    const violations = wrongTexts(policy.rules, { projectId: "", tags: [name], bindings: [] }, work);
    if (violations.length > 0) broken.set(name, violations);
  }
  return { enforce: policy.enforce, broken };
}

/** Keys that some rule requires: what a write might take away beside what it names. */
export function requiredKeys({ rules: { rules } }: TagPolicy): string[] {
  return rules.flatMap(({ requiredKeys: keys = [] }) => keys);
}

/** The rules that a write breaks by what it sets, or that were not broken before. */
export function violationsOfWrite(rules: CompiledTagRules, { before, after, sets }: TagWrite): Violation[] {
  if (before === undefined) return checkTagRules(rules, after);
  const set = new Set(sets);
  const isNew = notAmong(missingKeys(rules, before));
  const missing = missingKeys(rules, after).filter(isNew);
  if (before.projectId === after.projectId) return [...missing, ...wrongTexts(rules, changedOf(before, after, set))];
  // Other rules are for it now.
  const isNewText = notAmong(wrongTexts(rules, before));
  return [...missing, ...wrongTexts(rules, after).filter((each) => set.has(each.subject) || isNewText(each))];
}

/** Returns the tags and keys that the write sets or changes. The rest of the workspace stays as it was. */
function changedOf(before: TagState, after: TagState, set: ReadonlySet<string>): TagState {
  const tags = new Set(before.tags);
  const values = new Map(before.bindings.map(({ key, value }) => [key, value]));
  return {
    projectId: after.projectId,
    tags: after.tags.filter((name) => set.has(name) || !(tags.has(name) || values.has(name))),
    bindings: after.bindings.filter(({ key, value }) => set.has(key) || values.get(key) !== value),
  };
}

function notAmong(violations: readonly Violation[]): (violation: Violation) => boolean {
  const known = new Set(violations.map(idOf));
  return (violation) => !known.has(idOf(violation));
}

function idOf({ rule, kind, subject, detail }: Violation): string {
  return JSON.stringify([rule, kind, subject, detail]);
}

/**
 * What rules for tags mean for writes. A write answers for what it sets and for what it makes worse: a workspace that fell
 * short before may be changed otherwise. Whoever writes tags loads the policy in the transaction and has the write judged
 * before it is made.
 */
import { AppError } from "../errors.ts";
import type { Reader } from "../storage/database.ts";
import {
  checkTagRules,
  compileTagRules,
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

/** What an answer to a write tells of a rule that it breaks. */
export type TagWarning = Pick<Violation, "rule" | "detail">;

/** A write of a workspace, or of its tags alone. */
export interface TagWrite {
  /** Undefined for a workspace that is being made. */
  before: TagState | undefined;
  after: TagState;
  /** Names and keys that the request itself gives. */
  sets: readonly string[];
}

/** Warnings of one answer. */
const MAX_WARNINGS = 100;

/** The rules of an organization; undefined when it has none. One read of a row by its key. */
export async function loadTagPolicy(db: Reader, organizationId: string): Promise<TagPolicy | undefined> {
  const stored = await findTagPolicy(db, organizationId);
  return stored && { enforce: stored.enforce, rules: compileTagRules(stored.rules) };
}

/**
 * Judges a write of a workspace.
 *
 * @returns what its answer warns of
 * @throws AppError `invalid` with the rule's name, where the policy refuses
 */
export function judgeTagWrite(policy: TagPolicy | undefined, write: TagWrite): TagWarning[] {
  return policy === undefined ? [] : judge(policy.enforce, violationsOfWrite(policy.rules, write));
}

/** Judges names that come into the pool, by the rules for all projects. The same returns and throws. */
export function judgePoolNames(policy: TagPolicy | undefined, names: readonly string[]): TagWarning[] {
  if (policy === undefined) return [];
  return judge(policy.enforce, wrongTexts(policy.rules, { projectId: "", tags: names, bindings: [] }));
}

/**
 * Judges keys and values that a project is given: as names and values alone, since what its workspaces require may be theirs.
 * The same returns and throws.
 *
 * @param bindings those that the request itself gives
 */
export function judgeProjectBindings(
  policy: TagPolicy | undefined,
  projectId: string,
  bindings: TagState["bindings"],
): TagWarning[] {
  if (policy === undefined) return [];
  return judge(policy.enforce, wrongTexts(policy.rules, { projectId, tags: [], bindings }));
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

/** What of a workspace the write gives, or has changed otherwise: the rest was as it is. */
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

function judge(enforce: Enforcement, violations: readonly Violation[]): TagWarning[] {
  const [first, ...others] = violations;
  if (first === undefined) return [];
  if (enforce === "refuse") {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    throw new AppError("invalid", `Tag rule ${JSON.stringify(first.rule)}: ${first.detail}${more}`);
  }
  return violations.slice(0, MAX_WARNINGS).map(({ rule, detail }) => ({ rule, detail }));
}

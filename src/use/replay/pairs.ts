/** Pairs of a subject and a question, of the rows of the use ledger that are about the same. Pure. */
import { fold } from "../../fold.ts";
import { nobodyIn, type Point } from "../../explain/effect/points.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import type { Access, Resource } from "../../rights/rules/rule.ts";
import type { Scope } from "../../rights/scope.ts";
import { together, type Use } from "../days.ts";
import type { UsedRule, UseRow } from "../../records/uses/row.ts";
import type { UseColumn } from "../../rights/uses.ts";

/** Questions of one subject, by whichever rules they were allowed, and in all columns. */
export interface UsedPair {
  readonly resource: Resource;
  readonly access: Access;
  readonly decidedIn: Scope;
  /** Undefined where names were folded to the rule. */
  readonly name: string | undefined;
  /** A rule that allowed it: the one of the last use. */
  rule: UsedRule;
  use: Use;
  readonly columns: Record<UseColumn, number>;
}

/** @returns the pairs of the rows of one subject, by keys that are the same for the same question */
export function pairsOf(rows: readonly UseRow[]): Map<string, UsedPair> {
  const pairs = new Map<string, UsedPair>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = pairs.get(key);
    if (known === undefined) {
      const { resource, access, decidedIn, name, rule } = row;
      const columns = { enforced: 0, own: 0, others: 0, [row.column]: row.total };
      pairs.set(key, { resource, access, decidedIn, name, rule, use: useOf(row), columns });
      continue;
    }
    if (row.lastDay > known.use.lastDay) known.rule = row.rule;
    known.use = together(known.use, row);
    known.columns[row.column] += row.total;
  }
  return pairs;
}

function keyOf({ resource, access, decidedIn, name, rule }: UseRow): string {
  const about = name === undefined ? ["", textOf(rule)] : [name];
  return JSON.stringify([resource, access, decidedIn.partition, decidedIn.namespace, ...about]);
}

function textOf({ resource, prefix, segment, block }: UsedRule): string {
  return JSON.stringify([resource, prefix, segment, block?.kind, block?.prefix, block?.segment]);
}

function useOf({ total, firstDay, lastDay, days }: Use): Use {
  return { total, firstDay, lastDay, days };
}

/** @returns the question of a pair; undefined where its names were folded, so that nobody knows what was asked */
export function questionOf({ resource, access, decidedIn, name, rule }: UsedPair): RightsQuestion | undefined {
  const asked = { resource, scope: decidedIn };
  if (name !== undefined) return { ...asked, segment: name, access };
  const isAbout = rule.resource === resource || (rule.resource === "service" && resource === "intention");
  // Only keys have a permission to list; a list of others shows what may be read.
  const shows = access === "list" && resource !== "key" ? "read" : access;
  // The rule has one name, which is then what was asked.
  if (!rule.prefix && isAbout) return { ...asked, segment: rule.segment, access: shows };
  if (access !== "list") return undefined;
  // A list shows what rules of this width let through: it is asked for a name that no closer rule is about.
  const width = rule.prefix ? rule.segment : `${rule.segment}/`;
  return { ...asked, segment: nobodyIn(resource, width), access: shows };
}

/** Whether a drafted change may matter to the folded names of a pair: all of them begin with the segment of its rule. */
export function isTouched({ resource, rule }: UsedPair, points: readonly Point[]): boolean {
  // Whether a namespace is visible depends on all rules in it.
  if (resource === "namespace") return points.length > 0;
  const width = fold(rule.segment);
  return points.some(({ right }) => {
    if (right.resource !== resource && right.resource !== rule.resource) return false;
    const changed = fold(right.segment);
    return changed.startsWith(width) || (right.isPrefix && width.startsWith(changed));
  });
}

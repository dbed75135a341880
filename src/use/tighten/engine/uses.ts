/** Which rules of a policy the rows of the ledger rest on, as its holders are decided about today. Pure. */
import { fold } from "../../../fold.ts";
import { compileSet, type DefaultPolicy, type TightenHolder } from "./holder.ts";
import { decide } from "../../../rights/rules/decide.ts";
import { lookupSpelling } from "../../../rights/rules/layer.ts";
import { NO_FACTS, type RightsQuestion } from "../../../rights/rules/question.ts";
import { ACCESSES, SCALARS, type Access, type Resource, type ResourceRule } from "../../../rights/rules/rule.ts";
import type { Scope } from "../../../rights/scope.ts";
import type { Steps } from "../../../rights/rules/scanner.ts";
import type { Decision } from "../../../rights/rules/authorizer.ts";
import type { UsedRule, UseRow, UseSubject } from "../../../records/uses/row.ts";
import type { SourceRule } from "./source.ts";

/** One use of a rule. */
export interface RuleUse {
  readonly resource: Resource;
  /** Name that was asked about; undefined where it is not known, or where the whole width of the rule was used. */
  readonly name: string | undefined;
  readonly access: Access;
  /** Scope in which it was decided. */
  readonly scope: Scope;
}

/** A question on record that a holder may ask today. */
export interface RecordedQuestion {
  readonly holder: TightenHolder;
  readonly question: RightsQuestion;
}

export interface Uses {
  /** By the position of the rule. */
  readonly byRule: ReadonlyMap<number, readonly RuleUse[]>;
  /** Only those that a rule of the policy allows. Rows of subjects without a token of today count for their rule alone. */
  readonly recorded: readonly RecordedQuestion[];
}

/**
 * Key of a subject in the sets of its holders. Who logs in has a token for a while only, and another one with the next login: all
 * that the tokens of its auth method have today stands for it.
 */
export function keyOfSubject(subject: UseSubject): string {
  return subject.kind === "token" ? `token ${subject.accessorId}` : keyOfMethod(subject.authMethod);
}

/** Key of the logins of an auth method. */
export function keyOfMethod(authMethod: string): string {
  return `method ${authMethod}`;
}

const BETWEEN = 64;

/** @param rows only those that count */
export function* usesOf(
  policyId: string,
  lines: readonly SourceRule[],
  holders: readonly TightenHolder[],
  rows: readonly UseRow[],
  defaultPolicy: DefaultPolicy,
): Steps<Uses> {
  const noted = new Map<number, Map<string, RuleUse>>();
  const recorded: RecordedQuestion[] = [];
  const note = (at: number, use: RuleUse): void => {
    const uses = noted.get(at) ?? new Map<string, RuleUse>();
    noted.set(at, uses.set(JSON.stringify(use), use));
  };
  const bySubject = Map.groupBy(rows, ({ subject }) => keyOfSubject(subject));
  const known = new Set<UseRow>();
  for (const holder of holders) {
    const own = [...holder.subjects].flatMap((key) => bySubject.get(key) ?? []);
    if (own.length > 0)
      yield* noteOwn(policyId, { holder, rows: own }, defaultPolicy, (question, places, isSight) => {
        recorded.push({ holder, question });
        const name = isSight ? undefined : question.segment;
        const { resource, access, scope } = question;
        for (const at of places) note(at, { resource, name, access, scope });
      });
    for (const row of own) known.add(row);
  }
  const others = rows.filter((row) => row.rule.policyId === policyId && isCountedByRule(row, known));
  for (const [index, row] of others.entries()) {
    if (index % BETWEEN === 0) yield;
    const { resource, access } = row;
    for (const { at, rule } of lines.filter((line) => isSite(line, row.rule))) {
      const name = isAbout(rule, row) ? questionOf(row)?.segment : undefined;
      note(at, { resource, name, access, scope: row.decidedIn });
    }
  }
  return { byRule: new Map([...noted].map(([at, uses]) => [at, [...uses.values()]])), recorded };
}

function* noteOwn(
  policyId: string,
  { holder, rows }: { holder: TightenHolder; rows: readonly UseRow[] },
  defaultPolicy: DefaultPolicy,
  note: (question: RightsQuestion, places: readonly number[], isSight: boolean) => void,
): Steps<void> {
  const rights = yield* compileSet(holder, defaultPolicy);
  for (const [index, row] of rows.entries()) {
    if (index % BETWEEN === 0) yield;
    const question = questionOf(row);
    if (question === undefined) continue;
    const decision = decide(rights, question, NO_FACTS);
    const places = decision.allow ? placesIn(decision, policyId) : [];
    // A namespace may be read by whoever may read anything in it.
    const isSight = question.resource === "namespace" && decision.grant?.rule.resource !== "namespace";
    if (places.length > 0) note(question, places, isSight);
  }
}

/** Positions of the rules of a policy that made a decision. */
export function placesIn({ grant }: Decision, policyId: string): number[] {
  return (grant?.holders ?? []).flatMap(({ id, at }) => (id === policyId && at !== undefined ? [at] : []));
}

/**
 * Whether a row counts by the rule that it names too: where its subject cannot be asked again. A token that is not among the holders
 * has the policy no longer.
 */
export function isCountedByRule(row: UseRow, known: ReadonlySet<UseRow>): boolean {
  return row.subject.kind !== "token" || (known.has(row) && nameIn(row) === undefined);
}

/** Whether the name of a row is one that the rule is about, and not that of a namespace that is visible because of it. */
function isAbout({ resource }: ResourceRule, row: UseRow): boolean {
  return row.resource !== "namespace" || resource === "namespace";
}

/** Whether a row is about this rule; where a row names no block, about the rule in any. */
function isSite({ rule, blocks }: SourceRule, used: UsedRule): boolean {
  const isSame =
    rule.resource === used.resource &&
    rule.prefix === used.prefix &&
    lookupSpelling(rule.resource, rule.segment) === lookupSpelling(used.resource, used.segment);
  if (!isSame || used.block === undefined) return isSame;
  const { kind, prefix, segment } = used.block;
  return blocks.some((each) => each.kind === kind && each.prefix === prefix && fold(each.segment) === fold(segment));
}

/** Name of a row. Resources without names have the empty one. */
function nameIn({ resource, name }: UseRow): string | undefined {
  return (SCALARS as readonly string[]).includes(resource) ? "" : name;
}

/** The question of a row; none where its name is not known, or where a list used the whole rule. */
export function questionOf(row: UseRow): RightsQuestion | undefined {
  const { resource, access, decidedIn: scope } = row;
  const segment = nameIn(row);
  const isAsked = segment !== undefined && (ACCESSES.get(resource) ?? []).includes(access);
  return isAsked ? { resource, segment, access, scope } : undefined;
}

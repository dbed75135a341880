/** Order of binding rules in a login test: matching rules, the nearest misses, and all others by the first difference. */
import type { BodyOf } from "@tessera-server/client";

export type ExplainedRule = BodyOf<"explainLogin">["Rules"][number];

/** Rules that differ in the same first condition. */
export interface OtherRules {
  /** Path of the condition, such as `value.repository`; empty for rules whose conditions are not known. */
  readonly name: string;
  readonly rules: readonly ExplainedRule[];
}

export interface RankedRules {
  /** Rules that match, and rules that failed. */
  readonly decisive: readonly ExplainedRule[];
  /** Rules with the fewest false conditions. */
  readonly nearest: readonly ExplainedRule[];
  readonly others: readonly OtherRules[];
}

/** Maximum number of misses that are shown in full. */
const NEAREST = 5;

/** Ranks the rules: a miss is near when one of its conditions at least is true. */
export function ranked(rules: readonly ExplainedRule[]): RankedRules {
  const decisive = rules
    .filter(({ Verdict }) => Verdict !== "not matched")
    .toSorted((a, b) => Number(b.Verdict === "matched") - Number(a.Verdict === "matched"));
  const missed = rules.filter(({ Verdict }) => Verdict === "not matched").toSorted(byDistance);
  const near = missed.filter(({ Conditions }) => Conditions !== undefined && Conditions.Met > 0).slice(0, NEAREST);
  // No condition is true: the rules with the fewest conditions are as near as any.
  const nearest = near.length > 0 ? near : missed.length <= NEAREST ? missed : [];
  const rest = missed.filter((rule) => !nearest.includes(rule));
  const groups = Map.groupBy(rest, ({ Conditions }) => Conditions?.Unmet[0]?.Name ?? "");
  const others = [...groups].map(([name, members]) => ({ name, rules: members }));
  return { decisive, nearest, others: others.toSorted((a, b) => b.rules.length - a.rules.length) };
}

function byDistance({ Conditions: a }: ExplainedRule, { Conditions: b }: ExplainedRule): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a.Total - a.Met - (b.Total - b.Met) || b.Met - a.Met;
}

/** Changes of single rules, and the rules that they leave. Pure. */
import type { Permission, ResourceRule, Rule, ScopeRule } from "../../../rights/rules/rule.ts";

/** An exact rule in place of a rule for a prefix. */
export interface NamedRule {
  readonly segment: string;
  readonly policy: Permission;
  readonly intentions?: Permission;
}

export type RuleEdit =
  | { readonly action: "dropped" }
  | { readonly action: "lowered"; readonly policy: Permission; readonly intentions?: Permission }
  | { readonly action: "replaced"; readonly names: readonly NamedRule[] };

/** Edits by the position of their rule in the text. */
export type Edits = ReadonlyMap<number, RuleEdit>;

/** The rules after the edits; blocks that say nothing any more stay, since they decide nothing. */
export function editRules(rules: readonly Rule[], edits: Edits): Rule[] {
  return rules.flatMap((rule): Rule[] => {
    const edit = edits.get(rule.at ?? -1);
    if ("kind" in rule) return [editBlock(rule, edit, edits)];
    if (edit === undefined) return [rule];
    switch (edit.action) {
      case "dropped":
        return [];
      case "lowered":
        return [{ ...rule, policy: edit.policy, ...(edit.intentions && { intentions: edit.intentions }) }];
      case "replaced":
        return edit.names.map((named) => exactRule(rule, named));
    }
  });
}

function editBlock(block: ScopeRule, edit: RuleEdit | undefined, edits: Edits): ScopeRule {
  const inner = { ...block, rules: editRules(block.rules, edits) };
  if (edit?.action === "lowered") return { ...inner, policy: edit.policy };
  if (edit?.action !== "dropped") return inner;
  const { policy: _policy, ...rest } = inner;
  return rest;
}

function exactRule({ resource, at }: ResourceRule, { segment, policy, intentions }: NamedRule): ResourceRule {
  return {
    resource,
    prefix: false,
    segment,
    policy,
    ...(intentions && { intentions }),
    ...(at !== undefined && { at }),
  };
}

/** All that rules say, each thing once and in one order: equal for texts that mean the same. */
export function meaningOf(rules: readonly Rule[], around = ""): string[] {
  return rules
    .flatMap((rule) => {
      if (!("kind" in rule)) {
        const { at: _at, ...said } = rule;
        return [around + JSON.stringify(Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1)))];
      }
      const { kind, prefix, segment, policy, intentions, loose, rules: inner } = rule;
      const own = [kind, prefix, segment];
      const said = policy === undefined ? [] : [around + JSON.stringify([...own, policy, intentions, loose])];
      return [...said, ...meaningOf(inner, `${around}${JSON.stringify(own)} `)];
    })
    .sort();
}

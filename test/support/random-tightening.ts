/** Random policies with their holders, and rows of the use ledger as random requests would leave them. */
import { decide } from "../../src/rights/rules/decide.ts";
import type { Authorizer } from "../../src/rights/rules/authorizer.ts";
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import { parseRules } from "../../src/rights/rules/parse.ts";
import { NO_FACTS, type RightsQuestion } from "../../src/rights/rules/question.ts";
import { ACCESSES, type PolicyRules, type Resource, type RuleResource } from "../../src/rights/rules/rule.ts";
import { DEFAULT_SCOPE, type Scope } from "../../src/rights/scope.ts";
import { type TightenHolder, type RightsSet } from "../../src/use/tighten/engine/holder.ts";
import { withPolicy, type TightenInput } from "../../src/use/tighten/engine/tighten.ts";
import { keyOfSubject } from "../../src/use/tighten/engine/uses.ts";
import type { UseRow, UseSubject } from "../../src/records/uses/row.ts";
import type { UseColumn } from "../../src/rights/uses.ts";
import type { Plain } from "./naive-rules.ts";
import { NAMES, RULED, written, type RandomRules } from "./random-rules.ts";

/** One random case. */
export interface Case {
  input: TightenInput;
  policy: PolicyRules;
  holders: TightenHolder[];
  asked: { holder: TightenHolder; question: RightsQuestion }[];
}

const POLICY_ID = "tightened";

/** Draws cases from a source of random rules. */
export class RandomTightening {
  readonly #rules: RandomRules;

  constructor(rules: RandomRules) {
    this.#rules = rules;
  }

  draw(candidates: readonly RuleResource[] = RULED): Case {
    const { random, pick, many } = this.#rules;
    const first = this.#rules.round(candidates);
    const plain = [...first.direct, ...first.defaults];
    const own = plain.pop() ?? { home: DEFAULT_SCOPE, rules: [] };
    const home = own.home;
    const text = random() < 0.5 ? inHcl(own.rules) : inJson(own.rules);
    const about = { id: POLICY_ID, name: "tightened", home };
    const policy: PolicyRules = { ...about, links: [], rules: parseRules(text) };
    const others = plain.map((each, index): PolicyRules => {
      const rules = each.rules.flatMap((rule) => parseRules(written(rule)));
      return { ...each, id: `other-${index}`, name: `other-${index}`, links: [], rules };
    });
    const holders = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index): TightenHolder => {
      const [direct, defaults] = [others.filter(() => random() < 0.5), others.filter(() => random() < 0.4)];
      (random() < 0.7 ? direct : defaults).push(policy);
      return { direct, defaults, subjects: new Set([keyOfSubject(subjectOf(index))]) };
    });
    const { defaultPolicy } = first;
    const input: Omit<TightenInput, "rows"> = {
      policy: about,
      text,
      source: { edition: "enterprise" },
      holders,
      keep: [],
      defaultPolicy,
    };
    const asked: Case["asked"] = [];
    const rows: UseRow[] = [];
    for (const [index, holder] of holders.entries()) {
      const rights = compileAuthorizer({ ...holder, defaultPolicy });
      for (const question of many(8, () => this.question(holder, first.scope))) {
        const row = rowOf(rights, question, subjectOf(index), pick(["enforced", "enforced", "own"]));
        if (row === undefined) continue;
        rows.push(row);
        asked.push({ holder, question });
      }
    }
    return { input: { ...input, rows }, policy, holders, asked };
  }

  /** A question near the rules of a holder. */
  question({ direct, defaults }: RightsSet, near: Scope): RightsQuestion {
    const { random, pick } = this.#rules;
    const policy = pick([...direct, ...defaults]);
    const rules = flat(policy.rules);
    const rule = rules.length > 0 && random() < 0.9 ? pick(rules) : undefined;
    const scope = random() < 0.4 ? policy.home : random() < 0.5 ? near : this.#scope();
    let resource: Resource = rule?.resource ?? pick(RULED);
    if (resource === "service" && random() < 0.5) resource = "intention";
    if (resource === "organization" && random() < 0.5) resource = "workspace";
    if (resource === "operator" && random() < 0.5) resource = pick(["mesh", "peering", "namespace", "partition"]);
    const segment =
      rule !== undefined && random() < 0.5
        ? rule.segment + (random() < 0.5 ? "" : pick(["a", "b", "/", "ab", "t"]))
        : resource === "intention" && random() < 0.2
          ? "*"
          : this.#rules.segment(resource, 4);
    return { resource, segment, access: pick(ACCESSES.get(resource) ?? []), scope };
  }

  #scope(): Scope {
    const { pick } = this.#rules;
    return { partition: pick(NAMES.partition), namespace: pick(NAMES.namespace) };
  }
}

function subjectOf(index: number): UseSubject {
  return { kind: "token", accessorId: `token-${index}` };
}

function flat(rules: PolicyRules["rules"]): { resource: RuleResource; segment: string }[] {
  return rules.flatMap((rule) =>
    "kind" in rule ? [{ resource: rule.kind, segment: rule.segment }, ...flat(rule.rules)] : [rule],
  );
}

/** The row that a request leaves; undefined for one that no rule allows. */
export function rowOf(
  rights: Authorizer,
  question: RightsQuestion,
  subject: UseSubject,
  column: UseColumn,
): UseRow | undefined {
  const { allow, grant } = decide(rights, question, NO_FACTS);
  if (!allow || grant === undefined) return undefined;
  return {
    scope: DEFAULT_SCOPE,
    subject,
    rule: { policyId: grant.holders[0]?.id ?? "", ...grant.rule, permission: grant.permission },
    decidedIn: question.scope,
    resource: question.resource,
    name: question.segment,
    access: question.access,
    column,
    askedBy: "",
    total: 1,
    firstDay: 20_000,
    lastDay: 20_000,
    days: 1n,
  };
}

/** Returns the rights of a holder with another text in place of the policy. */
export function rightsWith(holder: RightsSet, policy: PolicyRules, text: string, defaultPolicy: "allow" | "deny") {
  const { direct, defaults } = withPolicy(holder, { ...policy, rules: parseRules(text) });
  return compileAuthorizer({ direct, defaults, defaultPolicy });
}

/** The rules in HCL, in which an argument cannot be repeated. */
function inHcl(rules: readonly Plain[]): string {
  const isRepeated = (rule: Plain, index: number): boolean =>
    /^\w+ =/.test(written(rule)) && rules.slice(0, index).some(({ resource }) => resource === rule.resource);
  return rules
    .filter((rule, index) => !isRepeated(rule, index))
    .map(written)
    .join("\n");
}

/** The same rules in the JSON spelling, each in a member of its own. */
function inJson(rules: readonly Plain[]): string {
  return `{${rules.map((rule) => asJson(written(rule))).join(",\n ")}}`;
}

/** Turns one rule in HCL, as `written` writes it, to JSON. */
function asJson(hcl: string): string {
  const block = /^(\w+) ("(?:[^"\\]|\\.)*") \{ (.*) \}$/s.exec(hcl);
  if (block !== null) return `"${block[1]}": {${block[2]}: {${membersOf(block[3] ?? "")}}}`;
  const [name, value] = hcl.split(" = ");
  return `"${name}": ${value}`;
}

function membersOf(inner: string): string {
  const field = /^(policy|intentions) = ("\w+") ?(.*)$/s.exec(inner);
  if (field === null) return inner === "" ? "" : asJson(inner);
  const rest = membersOf(field[3] ?? "");
  return `"${field[1]}": ${field[2]}${rest === "" ? "" : `, ${rest}`}`;
}

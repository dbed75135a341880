/** Rest of one rule that its uses need, before it is asked whether that widens anything. Pure. */
import { lookupSpelling } from "../../../rights/rules/layer.ts";
import {
  covers,
  type Access,
  type Permission,
  type ResourceRule,
  type RuleResource,
} from "../../../rights/rules/rule.ts";
import type { RuleEdit, NamedRule } from "./edit.ts";
import type { RuleUse } from "./uses.ts";

/** Why a line stays, or how it changes. */
export const LINE_REASONS = [
  /** In use with all of its permission. */
  "used",
  "used-for-less",
  "used-by-name",
  "unused",
  "denies",
  "asked-to-keep",
  /** Without it another rule would grant more. */
  "hides",
  /** Names would have precedence over another rule. */
  "outranks",
  /** Names are not known: they were folded, or a list used the whole rule. */
  "names-unknown",
  "too-many-names",
  /** The caller may not read all of the names. */
  "names-hidden",
  /** A request on record would be denied. */
  "needed",
  /** The rule is written in a way that is left alone. */
  "not-editable",
] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/** Another rule that makes a line stay. */
export interface OtherRule {
  readonly name: string;
  /** Names of its policies. */
  readonly policies: readonly string[];
}

/** A line's fate. Without an edit it stays. */
export interface RulePlan {
  readonly edit?: RuleEdit;
  readonly reason: LineReason;
  readonly other?: OtherRule;
}

/** Maximum number of names in place of one prefix; the ledger folds more. */
export const MOST_NAMES = 50;

/** Permissions that a rule needs for some uses. */
interface Needed {
  policy: Permission;
  intentions: Permission | undefined;
}

/** @param isLowerable whether an argument can be changed in the text */
export function planOf(
  rule: ResourceRule,
  isOfBlock: boolean,
  uses: readonly RuleUse[],
  isLowerable: (field: "policy" | "intentions") => boolean,
): RulePlan {
  if (isDenying(rule)) return { reason: "denies" };
  if (rule.loose !== undefined) return uses.length === 0 ? dropped : { reason: "not-editable" };
  if (uses.length === 0) return dropped;
  const lowered = loweredPlan(rule, uses, isLowerable);
  if (!rule.prefix || isOfBlock) return lowered;
  if (uses.some(({ name, access }) => name === undefined || access === "write-prefix"))
    return { ...lowered, reason: "names-unknown" };
  const names = namesOf(rule, uses);
  if (names.length > MOST_NAMES) return { ...lowered, reason: "too-many-names" };
  return { edit: { action: "replaced", names }, reason: "used-by-name" };
}

const dropped: RulePlan = { edit: { action: "dropped" }, reason: "unused" };

/** The same rule with the least permission that its uses need. */
export function loweredPlan(
  rule: ResourceRule,
  uses: readonly RuleUse[],
  isLowerable: (field: "policy" | "intentions") => boolean,
): RulePlan {
  const needed = neededOf(rule, uses);
  const policy = isLowerable("policy") ? needed.policy : rule.policy;
  const intentions = isLowerable("intentions") ? needed.intentions : rule.intentions;
  if (policy === rule.policy && intentions === rule.intentions) return { reason: "used" };
  return {
    edit: { action: "lowered", policy, ...(intentions && { intentions }) },
    reason: "used-for-less",
  };
}

/** Denials stay, and so does a rule that denies a part. */
export function isDenying({ policy, intentions }: Pick<ResourceRule, "policy" | "intentions">): boolean {
  return policy === "deny" || intentions === "deny";
}

function neededOf(rule: ResourceRule, uses: readonly RuleUse[]): Needed {
  const about = (isIntention: boolean): Access[] =>
    uses.filter(({ resource }) => (resource === "intention") === isIntention).map(({ access }) => access);
  const policy = least(rule.resource, rule.policy, about(false));
  return { policy, intentions: rule.intentions && least(rule.resource, rule.intentions, about(true)) };
}

/** The least permission that covers these, and not more than there is. Lists of other things than keys need `read`. */
function least(resource: RuleResource, most: Permission, accesses: readonly Access[]): Permission {
  const asked = accesses.filter((access) => covers(most, access));
  if (asked.some((access) => access === "write" || access === "write-prefix")) return "write";
  return resource === "key" && asked.includes("list") ? "list" : "read";
}

function namesOf(rule: ResourceRule, uses: readonly RuleUse[]): NamedRule[] {
  const byName = Map.groupBy(uses, ({ resource, name = "" }) => {
    // A rule of organizations is used for workspaces too: the organization is its name.
    const part = rule.resource === "organization" && resource === "workspace" ? (name.split("/", 1)[0] ?? "") : name;
    return lookupSpelling(rule.resource, part);
  });
  return [...byName]
    .map(([segment, found]) => {
      const { policy, intentions } = neededOf(rule, found);
      return { segment, policy, ...(intentions && { intentions }) };
    })
    .sort((one, other) => (one.segment < other.segment ? -1 : 1));
}

/** Rules for tags by the names of their members on the wire. */
import type { Violation } from "./check.ts";
import { dayText } from "./days/day.ts";
import type { CoverageDay } from "./days/store.ts";
import type { DraftEffect } from "./draft.ts";
import type { InspectedWorkspace } from "./report-store.ts";
import type { TagRule } from "./rule.ts";
import type { StoredTagPolicy } from "./store.ts";

/** Enforcement and rules of a policy, for answers, files and records of changes. */
export function policyAsJson({ enforce, rules }: Pick<StoredTagPolicy, "enforce" | "rules">) {
  return { enforce, rules: rules.map(ruleAsJson) };
}

/** Members of a rule; members without a value are left out. */
export function ruleAsJson({ name, project, requiredKeys, key, allowedValues, valuePattern, namingPattern }: TagRule) {
  return {
    name,
    project,
    "required-keys": requiredKeys,
    key,
    "allowed-values": allowedValues,
    "value-pattern": valuePattern,
    "naming-pattern": namingPattern,
  };
}

/** Violations of a workspace that a report shows. */
const MAX_SHOWN = 20;

/** Workspace that breaks rules, as a JSON:API resource. */
export function shortcomingAsJson({ id, name }: Pick<InspectedWorkspace, "id" | "name">, violations: Violation[]) {
  return {
    id,
    type: "tag-policy-shortcomings" as const,
    attributes: {
      "workspace-name": name,
      "violation-count": violations.length,
      violations: violations.slice(0, MAX_SHOWN).map(({ rule, detail }) => ({ rule, detail })),
    },
    relationships: { workspace: { data: { id, type: "workspaces" as const } } },
  };
}

/** Coverage of a required key, among the workspaces that must have it. */
export interface KeyCoverage {
  key: string;
  /** Names of the rules that require it. */
  rules: string[];
  /** Workspaces that must have it. */
  workspaces: number;
  /** Workspaces among them that lack the key. */
  missing: number;
  /** Workspaces among them that have it as a flat tag, which has no value. */
  withoutValue: number;
  /** Number of different values, as far as they are counted. */
  valueCount: number;
  /** The most frequent ones. */
  values: { value: string; workspaces: number }[];
  /** Workspaces with other values. */
  others: number;
  /** The projects in which most workspaces lack it. */
  projects: { id: string; workspaces: number; missing: number }[];
}

/** Coverage of a required key, as a JSON:API resource. */
export function coverageAsJson(coverage: KeyCoverage) {
  const { key, rules, workspaces, missing, withoutValue, valueCount, values, others, projects } = coverage;
  return {
    id: key,
    type: "tag-policy-keys" as const,
    attributes: {
      key,
      rules,
      workspaces,
      missing,
      "without-value": withoutValue,
      "value-count": valueCount,
      values,
      other: others,
      projects,
    },
  };
}

/** Coverage of the required keys in a project, as a JSON:API resource. */
export function projectAsJson({ id, workspaces, missing }: KeyCoverage["projects"][number]) {
  return {
    id,
    type: "tag-policy-projects" as const,
    attributes: { workspaces, missing },
    relationships: { project: { data: { id, type: "projects" as const } } },
  };
}

/** Coverage of a required key on a day, as a JSON:API resource. */
export function dayAsJson({
  key,
  day,
  workspaces,
  missing,
  withoutValue,
  valueCount,
}: Omit<CoverageDay, "organizationId">) {
  const date = dayText(day);
  return {
    id: `${date}/${key}`,
    type: "tag-policy-days" as const,
    attributes: {
      key,
      day: date,
      workspaces,
      missing,
      "without-value": withoutValue,
      "value-count": valueCount,
    },
  };
}

/** Effect of drafted rules, as a JSON:API resource. */
export function effectAsJson(organizationName: string, effect: DraftEffect) {
  const { workspaces, failing, failingNow, newlyFailing, rules } = effect;
  return {
    id: organizationName,
    type: "tag-policy-checks" as const,
    attributes: {
      workspaces,
      "non-compliant": failing,
      "non-compliant-now": failingNow,
      "newly-non-compliant": newlyFailing,
      rules: rules.map((rule) => ({ name: rule.name, "non-compliant": rule.failing })),
    },
  };
}

/** Rules for tags, and who falls short of them, as JSON:API resources. */
import type { Violation } from "./check.ts";
import type { InspectedWorkspace } from "./report-store.ts";
import type { TagRule } from "./rule.ts";
import type { StoredTagPolicy } from "./store.ts";

export function renderTagPolicy({ id, enforce, rules, createdAt, updatedAt }: StoredTagPolicy, organization: string) {
  return {
    id,
    type: "tag-policies" as const,
    attributes: { ...saidOf({ enforce, rules }), "created-at": createdAt, "updated-at": updatedAt },
    relationships: { organization: { data: { id: organization, type: "organizations" as const } } },
  };
}

/** What a policy says, also in records of its changes. */
export function saidOf({ enforce, rules }: Pick<StoredTagPolicy, "enforce" | "rules">) {
  return { enforce, rules: rules.map(renderRule) };
}

/** What a rule does not ask is left out. */
export function renderRule({ name, project, requiredKeys, key, allowedValues, valuePattern, namingPattern }: TagRule) {
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

/** A workspace that breaks rules. */
export function renderShortcoming({ id, name }: Pick<InspectedWorkspace, "id" | "name">, violations: Violation[]) {
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

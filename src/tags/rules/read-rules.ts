/** Rules as they are on the wire, in records of changes and in files. */
import type { TagRule } from "./rule.ts";

/** A rule on the wire; null asks for nothing, as what is left out. */
export interface WireRule {
  name: string;
  project?: string | null | undefined;
  "required-keys"?: readonly string[] | null | undefined;
  key?: string | null | undefined;
  "allowed-values"?: readonly string[] | null | undefined;
  "value-pattern"?: string | null | undefined;
  "naming-pattern"?: string | null | undefined;
}

/** Rules as the program knows them. They are not checked. */
export function readRules(rules: readonly WireRule[]): TagRule[] {
  return rules.map((rule) => ({
    name: rule.name,
    project: rule.project ?? undefined,
    requiredKeys: rule["required-keys"] ?? undefined,
    key: rule.key ?? undefined,
    allowedValues: rule["allowed-values"] ?? undefined,
    valuePattern: rule["value-pattern"] ?? undefined,
    namingPattern: rule["naming-pattern"] ?? undefined,
  }));
}

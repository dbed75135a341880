/** Rules for tags: as they are read and written, and as people say them. */
import { queryOptions } from "@tanstack/react-query";
import { TesseraError, type BodyOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import * as texts from "../../texts/tag-policies.ts";

export type TagPolicy = BodyOf<"readTagPolicy">["data"];
export type TagRule = TagPolicy["attributes"]["rules"][number];
export type Enforcement = TagPolicy["attributes"]["enforce"];

/** Tag policy with the ETag for conditional writes; undefined policy when none exists. */
export interface ReadPolicy {
  readonly policy: TagPolicy | undefined;
  readonly etag: string;
}

/** The rules of the organization. */
export function policyQuery(place: Place) {
  const { organization = "" } = place;
  return queryOptions({
    queryKey: organizationKey(organization, "tag-policies", "rules"),
    queryFn: async ({ signal }): Promise<ReadPolicy> => {
      try {
        const path = { organization_name: organization };
        const { body, headers } = await place.client.request("readTagPolicy", { path, signal });
        return { policy: body.data, etag: headers.get("etag") ?? "" };
      } catch (error) {
        if (!(error instanceof TesseraError) || error.status !== 404 || !(await isSeen(place, signal))) throw error;
        return { policy: undefined, etag: "" };
      }
    },
  });
}

/** An organization that may not be seen is not found either, and is not one without rules. */
async function isSeen({ client, organization = "" }: Place, signal: AbortSignal): Promise<boolean> {
  return client.organizations.read({ organization, signal }).then(
    () => true,
    () => false,
  );
}

/** A rule as a form has it: what is left empty is not asked. */
export interface RuleDraft {
  readonly name: string;
  /** An ID; empty for all. */
  readonly project: string;
  readonly required: readonly string[];
  readonly key: string;
  readonly values: readonly string[];
  readonly pattern: string;
  readonly naming: string;
}

export const EMPTY_RULE: RuleDraft = {
  name: "",
  project: "",
  required: [],
  key: "",
  values: [],
  pattern: "",
  naming: "",
};

/** The rule as a form has it. */
export function draftOf(rule: TagRule): RuleDraft {
  return {
    name: rule.name,
    project: rule.project ?? "",
    required: rule["required-keys"] ?? [],
    key: rule.key ?? "",
    values: rule["allowed-values"] ?? [],
    pattern: rule["value-pattern"] ?? "",
    naming: rule["naming-pattern"] ?? "",
  };
}

/** The rule as it is written. */
export function ruleOf({ name, project, required, key, values, pattern, naming }: RuleDraft): TagRule {
  return {
    name: name.trim(),
    ...(project === "" ? {} : { project }),
    ...(required.length === 0 ? {} : { "required-keys": [...required] }),
    ...(key.trim() === "" ? {} : { key: key.trim() }),
    ...(values.length === 0 ? {} : { "allowed-values": [...values] }),
    ...(pattern === "" ? {} : { "value-pattern": pattern }),
    ...(naming === "" ? {} : { "naming-pattern": naming }),
  };
}

/**
 * Returns the problems of drafts by field, such as `rules.0.name`. The server checks patterns, and checks all values
 * again.
 */
export function problemsOf(rules: readonly RuleDraft[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [index, rule] of rules.entries()) {
    const at = `rules.${index}`;
    const name = rule.name.trim();
    if (!/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,98}[A-Za-z0-9])?$/.test(name))
      problems[`${at}.name`] = texts.ruleNameInvalid;
    else if (rules.findIndex((other) => other.name.trim() === name) < index)
      problems[`${at}.name`] = texts.ruleNameTaken;
    if (rule.required.length === 0 && rule.key.trim() === "" && rule.naming === "")
      problems[`${at}.required`] = texts.ruleEmpty;
    if (rule.key.trim() !== "" && rule.values.length === 0 && rule.pattern === "")
      problems[`${at}.values`] = texts.valuesMissing;
    if (rule.key.trim() !== "" && rule.values.length > 0 && rule.pattern !== "")
      problems[`${at}.pattern`] = texts.valuesAndPattern;
    if (rule.key.trim() === "" && (rule.values.length > 0 || rule.pattern !== ""))
      problems[`${at}.key`] = texts.keyMissing;
  }
  return problems;
}

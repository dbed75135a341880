import type { Page, Screen } from "../../kit/screen.ts";
import { policyQuery } from "./rules.ts";
import { screenNames } from "../../texts/names.ts";

const rules: NonNullable<Page["load"]> = async ({ place, read }) => read(policyQuery(place));

/** The rules for tags themselves. */
export const TAG_RULES: Screen = {
  noun: "tag-rules",
  title: screenNames.tagPolicies.tagPolicy,
  summary: screenNames.tagPolicies.policySummary,
  icon: "rule",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-rules",
      title: screenNames.tagPolicies.tagPolicy,
      view: async () => (await import("./rules-page.tsx")).TagRules,
      load: rules,
    },
    {
      path: "tag-rules/edit",
      title: screenNames.tagPolicies.editTagPolicy,
      view: async () => (await import("./rules-edit.tsx")).TagRulesEdit,
      load: rules,
    },
  ],
  actions: [
    {
      title: screenNames.tagPolicies.editTagPolicy,
      path: "tag-rules/edit",
      right: { resource: "organization", access: "write" },
    },
  ],
};

/** Screen of non-compliant workspaces. */
export const TAG_POLICIES: Screen = {
  noun: "tag-policies",
  title: screenNames.tagPolicies.compliance,
  summary: screenNames.tagPolicies.complianceSummary,
  icon: "alert",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-policies",
      title: screenNames.tagPolicies.compliance,
      view: async () => (await import("./list.tsx")).ShortcomingList,
      load: async ({ readList }) => readList((await import("./list-of-shortcomings.tsx")).SHORTCOMING_LIST),
    },
  ],
};

import type { Page, Screen } from "../../kit/screen.ts";
import { policyQuery } from "./rules.ts";

const rules: NonNullable<Page["load"]> = async ({ place, read }) => read(policyQuery(place));

/** The rules for tags themselves. */
export const TAG_RULES: Screen = {
  noun: "tag-rules",
  title: "Rules",
  summary: "What is asked of tags",
  icon: "rule",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-rules",
      title: "Rules for tags",
      view: async () => (await import("./rules-page.tsx")).TagRules,
      load: rules,
    },
    {
      path: "tag-rules/edit",
      title: "Edit the rules for tags",
      view: async () => (await import("./rules-edit.tsx")).TagRulesEdit,
      load: rules,
    },
  ],
  actions: [
    { title: "Edit the rules for tags", path: "tag-rules/edit", right: { resource: "organization", access: "write" } },
  ],
};

/** Screen of non-compliant workspaces. */
export const TAG_POLICIES: Screen = {
  noun: "tag-policies",
  title: "Falling short",
  summary: "Workspaces that break rules for tags",
  icon: "alert",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-policies",
      title: "Falling short",
      view: async () => (await import("./list.tsx")).ShortcomingList,
      load: async ({ readList }) => readList((await import("./list-of-shortcomings.tsx")).SHORTCOMING_LIST),
    },
  ],
};

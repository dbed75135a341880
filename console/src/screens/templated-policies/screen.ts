import type { Screen } from "../../kit/screen.ts";
import { templatesQuery } from "../../kit/templates-query.ts";
import { screenNames } from "../../texts/names.ts";

/** Templated policies: built-in policies with a variable. */
export const TEMPLATED_POLICIES: Screen = {
  noun: "templated-policies",
  title: screenNames.templatedPolicies.plural,
  summary: screenNames.templatedPolicies.summary,
  icon: "template",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "templated-policies",
      title: screenNames.templatedPolicies.plural,
      view: async () => (await import("./list.tsx")).TemplateList,
      load: async ({ readList }) => readList((await import("./list-of-templates.tsx")).TEMPLATE_LIST),
    },
    {
      path: "templated-policies/$key",
      title: screenNames.templatedPolicies.pageTitle,
      view: async () => (await import("./object.tsx")).TemplateObject,
      load: async ({ place, read }) => read(templatesQuery(place)),
    },
  ],
};

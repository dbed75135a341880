import type { Screen } from "../../kit/screen.ts";
import { templatesQuery } from "./queries.ts";

/** Templated policies: policies with a gap for a name. */
export const TEMPLATED_POLICIES: Screen = {
  noun: "templated-policies",
  title: "Templated policies",
  summary: "Policies with a gap for a name",
  icon: "template",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: [
    {
      path: "templated-policies",
      title: "Templated policies",
      view: async () => (await import("./list.tsx")).TemplateList,
      load: async ({ readList }) => readList((await import("./list-of-templates.tsx")).TEMPLATE_LIST),
    },
    {
      path: "templated-policies/$key",
      title: "Templated policy",
      view: async () => (await import("./object.tsx")).TemplateObject,
      load: async ({ place, read }) => read(templatesQuery(place)),
    },
  ],
};

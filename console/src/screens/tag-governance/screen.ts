import type { Screen } from "../../kit/screen.ts";
import { screenNames } from "../../texts/names.ts";

/** Coverage of required tag keys. */
export const TAG_GOVERNANCE: Screen = {
  noun: "tag-governance",
  title: screenNames.tagGovernance.title,
  summary: screenNames.tagGovernance.summary,
  icon: "eye",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-governance",
      title: screenNames.tagGovernance.title,
      view: async () => (await import("./governance.tsx")).TagGovernance,
    },
    {
      path: "tag-governance/projects",
      title: screenNames.tagGovernance.projects,
      view: async () => (await import("./projects.tsx")).ProjectCoverage,
      load: async ({ readList }) => readList((await import("./list-of-projects.tsx")).PROJECT_COVERAGE_LIST),
    },
  ],
};

import type { Screen } from "../../kit/screen.ts";
import { jobQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** Jobs on tags: changes of many things at once. */
export const JOBS: Screen = {
  noun: "tag-jobs",
  title: screenNames.tagJobs.jobs,
  summary: screenNames.tagJobs.summary,
  icon: "history",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-jobs",
      title: screenNames.tagJobs.jobs,
      view: async () => (await import("./list.tsx")).JobList,
      load: async ({ readList }) => readList((await import("./list-of-jobs.tsx")).JOB_LIST),
    },
    {
      path: "tag-jobs/$job",
      title: screenNames.tagJobs.jobTitle,
      view: async () => (await import("./object.tsx")).JobObject,
      load: async ({ place, read, params }) => read(jobQuery(place, params["job"] ?? "")),
    },
  ],
};

import type { Screen } from "../../kit/screen.ts";
import { jobQuery } from "./queries.ts";

/** Jobs on tags: changes of many things at once. */
export const JOBS: Screen = {
  noun: "tag-jobs",
  title: "Jobs",
  summary: "Changes of many tags or workspaces at once",
  icon: "history",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "tag-jobs",
      title: "Jobs",
      view: async () => (await import("./list.tsx")).JobList,
      load: async ({ readList }) => readList((await import("./list-of-jobs.tsx")).JOB_LIST),
    },
    {
      path: "tag-jobs/$job",
      title: "Job",
      view: async () => (await import("./object.tsx")).JobObject,
      load: async ({ place, read, params }) => read(jobQuery(place, params["job"] ?? "")),
    },
  ],
};

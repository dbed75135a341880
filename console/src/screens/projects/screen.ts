import type { Screen } from "../../kit/screen.ts";
import { resourcePages } from "../../kit/resource-pages.ts";
import { bindingsQuery } from "../workspaces/queries.ts";
import { PROJECT } from "./named.ts";
import { workspacesOfQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** Projects, which hold workspaces and give them keys. */
export const PROJECTS: Screen = {
  noun: "projects",
  title: screenNames.projects.projects,
  summary: screenNames.projects.summary,
  icon: "project",
  place: "organization",
  group: "Tags",
  pages: resourcePages(
    PROJECT,
    async () => (await import("./list-of-projects.tsx")).PROJECT_LIST,
    {
      list: async () => (await import("./list.tsx")).ProjectList,
      create: async () => (await import("./pages.tsx")).ProjectCreate,
      object: async () => (await import("./pages.tsx")).ProjectObject,
      edit: async () => (await import("./pages.tsx")).ProjectEdit,
    },
    async ({ place, read, params }) => {
      const id = params["key"] ?? "";
      await Promise.all([read(bindingsQuery(place, { of: "project", id })), read(workspacesOfQuery(place, id))]);
    },
  ),
  actions: [
    {
      title: screenNames.projects.newProject,
      path: "projects/new",
      right: { resource: "organization", access: "write" },
    },
  ],
};

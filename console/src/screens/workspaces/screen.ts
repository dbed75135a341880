import type { Screen } from "../../kit/screen.ts";
import { resourceQuery } from "../../kit/resource.ts";
import { WORKSPACE } from "./named.ts";
import { bindingsQuery, effectiveQuery } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** Workspaces, and the tags that lie on them. */
export const WORKSPACES: Screen = {
  noun: "workspaces",
  title: screenNames.workspaces.workspaces,
  summary: screenNames.workspaces.summary,
  icon: "workspace",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "workspaces",
      title: screenNames.workspaces.workspaces,
      view: async () => (await import("./list.tsx")).WorkspaceList,
      load: async ({ readList }) => readList((await import("./list-of-workspaces.tsx")).WORKSPACE_LIST),
    },
    {
      path: "workspaces/new",
      title: screenNames.workspaces.newWorkspace,
      view: async () => (await import("./create.tsx")).WorkspaceCreate,
    },
    {
      path: "workspaces/$workspace",
      title: screenNames.workspaces.workspaceTitle,
      view: async () => (await import("./object.tsx")).WorkspaceObject,
      load: async ({ place, read, params }) => {
        const id = params["workspace"] ?? "";
        await Promise.all([
          read(resourceQuery(WORKSPACE, place, id)),
          read(bindingsQuery(place, { of: "workspace", id })),
          read(effectiveQuery(place, { of: "workspace", id })),
        ]);
      },
    },
    {
      path: "workspaces/$workspace/edit",
      title: screenNames.workspaces.editTitle,
      view: async () => (await import("./edit.tsx")).WorkspaceEdit,
      load: async ({ place, read, params }) => read(resourceQuery(WORKSPACE, place, params["workspace"] ?? "")),
    },
  ],
  actions: [
    {
      title: screenNames.workspaces.newWorkspace,
      path: "workspaces/new",
      right: { resource: "organization", access: "write" },
    },
  ],
};

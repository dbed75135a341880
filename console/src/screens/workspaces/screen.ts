import type { Screen } from "../../kit/screen.ts";
import { resourceQuery } from "../../kit/resource.ts";
import { WORKSPACE } from "./named.ts";
import { bindingsQuery, effectiveQuery } from "./queries.ts";

/** Workspaces, and the tags that lie on them. */
export const WORKSPACES: Screen = {
  noun: "workspaces",
  title: "Workspaces",
  summary: "What tags lie on",
  icon: "workspace",
  place: "organization",
  group: "Tags",
  pages: [
    {
      path: "workspaces",
      title: "Workspaces",
      view: async () => (await import("./list.tsx")).WorkspaceList,
      load: async ({ readList }) => readList((await import("./list-of-workspaces.tsx")).WORKSPACE_LIST),
    },
    {
      path: "workspaces/new",
      title: "New workspace",
      view: async () => (await import("./create.tsx")).WorkspaceCreate,
    },
    {
      path: "workspaces/$workspace",
      title: "Workspace",
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
      title: "Edit a workspace",
      view: async () => (await import("./edit.tsx")).WorkspaceEdit,
      load: async ({ place, read, params }) => read(resourceQuery(WORKSPACE, place, params["workspace"] ?? "")),
    },
  ],
  actions: [{ title: "New workspace", path: "workspaces/new", right: { resource: "organization", access: "write" } }],
};

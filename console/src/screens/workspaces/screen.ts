import type { Screen } from "../../app/screen.ts";
import { bindingsQuery, effectiveQuery, workspaceQuery } from "./queries.ts";

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
          read(workspaceQuery(place, id)),
          read(bindingsQuery(place, { of: "workspace", id })),
          read(effectiveQuery(place, { of: "workspace", id })),
        ]);
      },
    },
  ],
  actions: [{ title: "New workspace", path: "workspaces/new", right: { resource: "organization", access: "write" } }],
};

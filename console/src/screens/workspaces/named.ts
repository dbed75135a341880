import type { NamedResource } from "../../kit/resource.ts";
import type { WorkspaceRow } from "./queries.ts";

/** How workspaces are read and called. */
export const WORKSPACE: NamedResource<WorkspaceRow> = {
  noun: "workspaces",
  singular: "workspace",
  plural: "Workspaces",
  read: "readWorkspace",
  list: "listWorkspaces",
  parameter: "workspace_id",
  title: ({ attributes }) => attributes.name,
};

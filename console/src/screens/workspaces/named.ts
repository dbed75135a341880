import type { NamedResource } from "../../kit/resource.ts";
import type { WorkspaceRow } from "./queries.ts";
import { screenNames } from "../../texts/names.ts";

/** How workspaces are read and called. */
export const WORKSPACE: NamedResource<WorkspaceRow> = {
  noun: "workspaces",
  singular: screenNames.workspaces.workspace,
  plural: screenNames.workspaces.workspaces,
  read: "readWorkspace",
  list: "listWorkspaces",
  parameter: "workspace_id",
  title: ({ attributes }) => attributes.name,
};

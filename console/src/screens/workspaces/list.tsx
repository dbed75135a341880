import { ListScreen } from "../../kit/list-screen.tsx";
import { WORKSPACE_LIST } from "./list-of-workspaces.tsx";

/** The workspaces of the organization. */
export function WorkspaceList() {
  return <ListScreen list={WORKSPACE_LIST} />;
}

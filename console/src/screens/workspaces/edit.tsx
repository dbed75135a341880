import { usePathParameter, usePlace } from "../../base/place.ts";
import { ResourceEdit } from "../../kit/resource-screens.tsx";
import { WORKSPACE_RESOURCE } from "./resource.tsx";

/** The screen that changes a workspace. */
export function WorkspaceEdit() {
  const place = usePlace();
  return (
    <ResourceEdit
      resource={WORKSPACE_RESOURCE}
      id={usePathParameter("workspace")}
      here={({ id }) => place.path("workspaces", id)}
    />
  );
}

import { bulkBody, identifier } from "../http/jsonapi/schema.ts";
import { apiRoutes } from "../http/jsonapi/jsonapi.ts";
import { warned } from "../http/jsonapi/warnings.ts";
import { moveWorkspaces } from "./move.ts";

const moveBody = bulkBody(identifier("workspaces"), { type: "workspaces", id: "ws-Ab3kXyZ12mNoPqRs" });

/** The move of workspaces into a project. */
export const workspaceMoveRoutes = apiRoutes("Projects", (on) => {
  on.post("/projects/:project_id/relationships/workspaces", {
    operationId: "moveWorkspaces",
    summary: "Move workspaces into a project",
    description: "Moves all workspaces or none. All must be in the organization of the project.",
    body: moveBody,
    answer: "All workspaces are in the project.",
    refusals: [403],
    warns: true,
    handle: async ({ ctx, params, body }) => {
      const ids = body.data.map((workspace) => workspace.id);
      return warned({}, await moveWorkspaces(ctx, params.project_id, ids));
    },
  });
});

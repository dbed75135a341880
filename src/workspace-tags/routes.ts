import { apiRoutes } from "../http/jsonapi-routes.ts";
import { renderTags } from "../tags/render.ts";
import { tagList } from "../tags/schema.ts";
import { renderWorkspaces } from "../workspaces/render.ts";
import { workspaceList } from "../workspaces/schema.ts";
import { readTagReferences, tagsBody, tagWorkspacesQuery, workspacesBody, workspaceTagsQuery } from "./schema.ts";
import {
  addTagWorkspaces,
  addWorkspaceTags,
  listTagWorkspaces,
  listWorkspaceTags,
  removeTagWorkspaces,
  removeWorkspaceTags,
} from "./service.ts";

const OF_WORKSPACE = "/workspaces/:workspace_id/relationships/tags";
const OF_TAG = "/tags/:tag_id/relationships/workspaces";
const DONE = "Done; also when there was nothing to do.";

/** The relationship between workspaces and tags, from the side of a workspace. */
export const workspaceTagRoutes = apiRoutes("Workspace tags", (on) => {
  on.list(
    OF_WORKSPACE,
    {
      operationId: "listWorkspaceTags",
      summary: "List the tags of a workspace in the order of adding",
      query: workspaceTagsQuery,
      answer: tagList,
    },
    async ({ ctx, params, query }, page) => {
      const list = await listWorkspaceTags(ctx, params.workspace_id, query["name"] ?? "", page);
      return { data: renderTags(ctx, list.organizationName, list.tags), total: list.total };
    },
  );
  const change = { body: tagsBody, answer: DONE };
  on.post(
    OF_WORKSPACE,
    { ...change, operationId: "addWorkspaceTags", summary: "Add tags to a workspace, by name or by id" },
    ({ ctx, params, body }) => addWorkspaceTags(ctx, params.workspace_id, readTagReferences(body.data)),
  );
  on.delete(
    OF_WORKSPACE,
    { ...change, operationId: "removeWorkspaceTags", summary: "Remove tags from a workspace" },
    ({ ctx, params, body }) => removeWorkspaceTags(ctx, params.workspace_id, readTagReferences(body.data)),
  );
});

/** The same from the side of a tag. */
export const tagWorkspaceRoutes = apiRoutes("Organization tags", (on) => {
  on.list(
    OF_TAG,
    {
      operationId: "listTagWorkspaces",
      summary: "List the workspaces that carry a tag",
      query: tagWorkspacesQuery,
      answer: workspaceList,
    },
    async ({ ctx, params }, page) => {
      const { workspaces, total } = await listTagWorkspaces(ctx, params.tag_id, page);
      return { data: await renderWorkspaces(ctx, workspaces), total, found: workspaces.length };
    },
  );
  const change = { body: workspacesBody, answer: DONE };
  const idsIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  on.post(
    OF_TAG,
    { ...change, operationId: "addTagWorkspaces", summary: "Add workspaces to a tag" },
    ({ ctx, params, body }) => addTagWorkspaces(ctx, params.tag_id, idsIn(body)),
  );
  on.delete(
    OF_TAG,
    { ...change, operationId: "removeTagWorkspaces", summary: "Remove workspaces from a tag" },
    ({ ctx, params, body }) => removeTagWorkspaces(ctx, params.tag_id, idsIn(body)),
  );
});

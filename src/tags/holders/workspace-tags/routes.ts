import { Type, type Static } from "typebox";
import { apiRoutes } from "../../../http/jsonapi/jsonapi.ts";
import { warned } from "../../../http/jsonapi/warnings.ts";
import { bulkBody, identifier, pageQuery, parameter } from "../../../http/jsonapi/schema.ts";
import { tagTexts } from "../../pool/render.ts";
import { tagList, tagReferenceSchema } from "../../pool/schema.ts";
import { renderWorkspaces } from "../../../workspaces/render.ts";
import { workspaceList } from "../../../workspaces/schema.ts";
import type { TagReference } from "../references.ts";
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
const DONE = "Done, including when nothing had to change.";

/** References as the services take them. The id wins where both are given. */
export function readTagReferences(data: readonly Static<typeof tagReferenceSchema>[]): TagReference[] {
  return data.map(({ id, attributes }) => (id === undefined ? { name: attributes?.name ?? "" } : { id }));
}

const tagsBody = bulkBody(
  tagReferenceSchema,
  { type: "tags", attributes: { name: "network" } },
  { type: "tags", id: "tag-Ab3kXyZ12mNoPqRs" },
);

const workspacesBody = bulkBody(identifier("workspaces", 100), { type: "workspaces", id: "ws-Ab3kXyZ12mNoPqRs" });

/** The relationship between workspaces and tags, from the side of a workspace. */
export const workspaceTagRoutes = apiRoutes("Workspace tags", (on) => {
  on.list(OF_WORKSPACE, {
    operationId: "listWorkspaceTags",
    summary: "List the tags of a workspace",
    description: "In the order in which they were added.",
    query: Type.Object({ ...pageQuery, name: parameter("Text that the name contains, ignoring case.") }),
    answer: tagList,
    handle: async ({ ctx, params, query }, page) => {
      const list = await listWorkspaceTags(ctx, params.workspace_id, query["name"] ?? "", page);
      return { data: tagTexts(ctx, list.organizationName, list.tags), total: list.total };
    },
  });
  const change = { body: tagsBody, answer: DONE, warns: true };
  on.post(OF_WORKSPACE, {
    ...change,
    operationId: "addWorkspaceTags",
    summary: "Add tags to a workspace",
    description: "Tags are selected by name or ID.",
    handle: async ({ ctx, params, body }) =>
      warned({}, await addWorkspaceTags(ctx, params.workspace_id, readTagReferences(body.data))),
  });
  on.delete(OF_WORKSPACE, {
    ...change,
    operationId: "removeWorkspaceTags",
    summary: "Remove tags from a workspace",
    handle: async ({ ctx, params, body }) =>
      warned({}, await removeWorkspaceTags(ctx, params.workspace_id, readTagReferences(body.data))),
  });
});

/** Workspaces of a tag: the relation from the side of a tag. */
export const tagWorkspaceRoutes = apiRoutes("Organization tags", (on) => {
  on.list(OF_TAG, {
    operationId: "listTagWorkspaces",
    summary: "List the workspaces that have a tag",
    query: Type.Object(pageQuery),
    answer: workspaceList,
    handle: async ({ ctx, params }, page) => {
      const { workspaces, total } = await listTagWorkspaces(ctx, params.tag_id, page);
      const { data } = await renderWorkspaces(ctx, workspaces);
      return { data, total, found: workspaces.length };
    },
  });
  const change = { body: workspacesBody, answer: DONE, warns: true };
  const idsIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  on.post(OF_TAG, {
    ...change,
    operationId: "addTagWorkspaces",
    summary: "Add workspaces to a tag",
    handle: async ({ ctx, params, body }) => warned({}, await addTagWorkspaces(ctx, params.tag_id, idsIn(body))),
  });
  on.delete(OF_TAG, {
    ...change,
    operationId: "removeTagWorkspaces",
    summary: "Remove workspaces from a tag",
    handle: async ({ ctx, params, body }) => warned({}, await removeTagWorkspaces(ctx, params.tag_id, idsIn(body))),
  });
});

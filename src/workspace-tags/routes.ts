import { Type } from "typebox";
import type { ApiRoutes } from "../http/jsonapi.ts";
import { paginationLinks, paginationMeta, readPage, shownOf } from "../http/pagination.ts";
import type { Query } from "../http/query.ts";
import { renderTags } from "../tags/render.ts";
import { tagList, tagParams } from "../tags/schema.ts";
import { renderWorkspaces } from "../workspaces/render.ts";
import { readTagReferences, workspaceList, workspaceParams } from "../workspaces/schema.ts";
import { tagsBody, tagWorkspacesQuery, workspacesBody, workspaceTagsQuery } from "./schema.ts";
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
const DONE = Type.Null({ description: "Done; also when there was nothing to do." });

/** The relationship between workspaces and tags, from either side. */
export const workspaceTagRoutes: ApiRoutes = (app, _options, done) => {
  registerWorkspaceSide(app);
  registerTagSide(app);
  done();
};

type App = Parameters<ApiRoutes>[0];

function registerWorkspaceSide(app: App): void {
  const common = { tags: ["Workspace tags"], params: workspaceParams };
  app.get(
    OF_WORKSPACE,
    {
      config: { shared: true },
      schema: {
        ...common,
        operationId: "listWorkspaceTags",
        summary: "List the tags of a workspace in the order of adding",
        querystring: workspaceTagsQuery,
        response: { 200: tagList },
      },
    },
    async (request) => {
      const query = request.query as Query;
      const page = readPage(query);
      const { workspace_id: id } = request.params;
      const list = await listWorkspaceTags(request.ctx, id, query["name"] ?? "", page);
      return {
        data: renderTags(request.ctx, list.organizationName, list.tags),
        links: paginationLinks(request, page, list.total),
        meta: { pagination: paginationMeta(page, list.total) },
      };
    },
  );
  const change = { ...common, body: tagsBody, response: { 204: DONE } };
  app.post(
    OF_WORKSPACE,
    { schema: { ...change, operationId: "addWorkspaceTags", summary: "Add tags to a workspace, by name or by id" } },
    async (request, reply) => {
      await addWorkspaceTags(request.ctx, request.params.workspace_id, readTagReferences(request.body.data));
      return reply.code(204).send(null);
    },
  );
  app.delete(
    OF_WORKSPACE,
    { schema: { ...change, operationId: "removeWorkspaceTags", summary: "Remove tags from a workspace" } },
    async (request, reply) => {
      await removeWorkspaceTags(request.ctx, request.params.workspace_id, readTagReferences(request.body.data));
      return reply.code(204).send(null);
    },
  );
}

function registerTagSide(app: App): void {
  const common = { tags: ["Organization tags"], params: tagParams };
  app.get(
    OF_TAG,
    {
      config: { shared: true },
      schema: {
        ...common,
        operationId: "listTagWorkspaces",
        summary: "List the workspaces that carry a tag",
        querystring: tagWorkspacesQuery,
        response: { 200: workspaceList },
      },
    },
    async (request) => {
      const page = readPage(request.query);
      const { workspaces, total } = await listTagWorkspaces(request.ctx, request.params.tag_id, page);
      const data = await renderWorkspaces(request.ctx, workspaces);
      const shown = shownOf(page, workspaces, data);
      return {
        data,
        links: paginationLinks(request, page, total, shown),
        meta: { pagination: paginationMeta(page, total, shown) },
      };
    },
  );
  const change = { ...common, body: workspacesBody, response: { 204: DONE } };
  app.post(
    OF_TAG,
    { schema: { ...change, operationId: "addTagWorkspaces", summary: "Add workspaces to a tag" } },
    async (request, reply) => {
      const ids = request.body.data.map((entry) => entry.id);
      await addTagWorkspaces(request.ctx, request.params.tag_id, ids);
      return reply.code(204).send(null);
    },
  );
  app.delete(
    OF_TAG,
    { schema: { ...change, operationId: "removeTagWorkspaces", summary: "Remove workspaces from a tag" } },
    async (request, reply) => {
      const ids = request.body.data.map((entry) => entry.id);
      await removeTagWorkspaces(request.ctx, request.params.tag_id, ids);
      return reply.code(204).send(null);
    },
  );
}

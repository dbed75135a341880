import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { ApiRoutes } from "../http/jsonapi.ts";
import { errorResponses } from "../http/jsonapi-errors.ts";
import { paginationLinks, paginationMeta, readPage, shownOf } from "../http/pagination.ts";
import type { Query } from "../http/query.ts";
import { renderIncluded, readWorkspaceInclude } from "./include.ts";
import { readSort, searchWorkspaces, type WorkspaceSearch } from "./list.ts";
import { renderOne, renderWorkspaces, type WorkspaceResource } from "./render.ts";
import {
  includeQuery,
  lockBody,
  organizationParams,
  readTagReferences,
  workspaceBody,
  workspaceDocument,
  workspaceList,
  workspaceListQuery,
  workspaceNameParams,
  workspaceParams,
  type WorkspaceBody,
} from "./schema.ts";
import {
  changeWorkspaceFields,
  createWorkspace,
  getWorkspace,
  lockWorkspace,
  removeWorkspace,
  unlockWorkspace,
  type Workspace,
  type WorkspaceInput,
  type WorkspacePath,
} from "./service.ts";

const TAGS = ["Workspaces"];
const DELETED = Type.Null({ description: "The workspace is gone." });

/** Workspaces by id and by name, and the actions on them. */
export const workspaceRoutes: ApiRoutes = (app, _options, done) => {
  app.get(
    "/organizations/:organization_name/workspaces",
    {
      config: { shared: true },
      schema: {
        operationId: "listWorkspaces",
        summary: "List or search the workspaces of an organization",
        tags: TAGS,
        params: organizationParams,
        querystring: workspaceListQuery,
        response: { 200: workspaceList },
      },
    },
    async (request) => {
      const query = request.query as Query;
      const page = readPage(query);
      const include = readWorkspaceInclude(query);
      const { workspaces, total } = await searchWorkspaces(
        request.ctx,
        request.params.organization_name,
        readSearch(query),
        page,
      );
      const data = await renderWorkspaces(request.ctx, workspaces);
      const shown = shownOf(page, workspaces, data);
      return {
        data,
        ...(await renderIncluded(request.ctx, workspaces.slice(0, data.length), include)),
        links: paginationLinks(request, page, total, shown),
        meta: { pagination: paginationMeta(page, total, shown) },
      };
    },
  );

  app.post(
    "/organizations/:organization_name/workspaces",
    {
      schema: {
        operationId: "createWorkspace",
        summary: "Create a workspace, with tags if wanted",
        tags: TAGS,
        params: organizationParams,
        body: workspaceBody,
        response: { 201: workspaceDocument },
      },
    },
    async (request, reply) => {
      const { organization_name: organization } = request.params;
      const workspace = await createWorkspace(request.ctx, organization, readInput(request.body));
      return reply.code(201).send(await document(request, workspace));
    },
  );

  registerItem(app, "/workspaces/:workspace_id", workspaceParams, "", byId);
  registerItem(
    app,
    "/organizations/:organization_name/workspaces/:workspace_name",
    workspaceNameParams,
    "ByName",
    byName,
  );
  registerLocks(app);
  done();
};

type App = Parameters<ApiRoutes>[0];

function byId(request: FastifyRequest): WorkspacePath {
  return { id: (request.params as { workspace_id: string }).workspace_id };
}

function byName(request: FastifyRequest): WorkspacePath {
  const params = request.params as { organization_name: string; workspace_name: string };
  return { organization: params.organization_name, name: params.workspace_name };
}

/** The routes of one workspace; it can be named in two ways. */
function registerItem(
  app: App,
  url: string,
  params: typeof workspaceParams | typeof workspaceNameParams,
  suffix: string,
  path: (request: FastifyRequest) => WorkspacePath,
): void {
  const common = { tags: TAGS, params };
  app.get(
    url,
    {
      schema: {
        ...common,
        operationId: `readWorkspace${suffix}`,
        summary: "Read a workspace",
        querystring: includeQuery,
        response: { 200: workspaceDocument },
      },
    },
    async (request) => {
      const include = readWorkspaceInclude(request.query);
      const workspace = await getWorkspace(request.ctx, path(request), "read");
      return { ...(await document(request, workspace)), ...(await renderIncluded(request.ctx, [workspace], include)) };
    },
  );
  app.patch(
    url,
    {
      schema: {
        ...common,
        operationId: `updateWorkspace${suffix}`,
        summary: "Change what is given of a workspace",
        body: workspaceBody,
        response: { 200: workspaceDocument },
      },
    },
    async (request) =>
      document(request, await changeWorkspaceFields(request.ctx, path(request), readInput(request.body))),
  );
  app.delete(
    url,
    {
      schema: {
        ...common,
        operationId: `deleteWorkspace${suffix}`,
        summary: "Delete a workspace, locked or not",
        response: { 204: DELETED },
      },
    },
    async (request, reply) => {
      await removeWorkspace(request.ctx, path(request), false);
      return reply.code(204).send(null);
    },
  );
  app.post(
    `${url}/actions/safe-delete`,
    {
      schema: {
        ...common,
        operationId: `safeDeleteWorkspace${suffix}`,
        summary: "Delete a workspace unless it is locked",
        response: { 204: DELETED, ...errorResponses(409) },
      },
    },
    async (request, reply) => {
      await removeWorkspace(request.ctx, path(request), true);
      return reply.code(204).send(null);
    },
  );
}

function registerLocks(app: App): void {
  const common = { tags: TAGS, params: workspaceParams, response: { 200: workspaceDocument, ...errorResponses(409) } };
  app.post(
    "/workspaces/:workspace_id/actions/lock",
    { schema: { ...common, operationId: "lockWorkspace", summary: "Lock a workspace", body: lockBody } },
    async (request) => {
      const { workspace_id: id } = request.params;
      const reason = request.body?.reason ?? request.body?.data?.attributes?.reason ?? "";
      return document(request, await lockWorkspace(request.ctx, id, reason));
    },
  );
  app.post(
    "/workspaces/:workspace_id/actions/unlock",
    { schema: { ...common, operationId: "unlockWorkspace", summary: "Unlock a workspace that this token locked" } },
    async (request) => document(request, await unlockWorkspace(request.ctx, request.params.workspace_id, false)),
  );
  app.post(
    "/workspaces/:workspace_id/actions/force-unlock",
    { schema: { ...common, operationId: "forceUnlockWorkspace", summary: "Unlock a workspace, whoever locked it" } },
    async (request) => document(request, await unlockWorkspace(request.ctx, request.params.workspace_id, true)),
  );
}

async function document(request: FastifyRequest, workspace: Workspace): Promise<{ data: WorkspaceResource }> {
  return { data: await renderOne(request.ctx, workspace) };
}

function readInput({ data }: WorkspaceBody): WorkspaceInput {
  const { name, ...settings } = data.attributes ?? {};
  const tags = data.relationships?.tags;
  return {
    name,
    settings,
    projectId: data.relationships?.project?.data?.id,
    hasTagBindings: (data.relationships?.["tag-bindings"]?.data.length ?? 0) > 0,
    tags: tags === undefined ? undefined : readTagReferences(tags.data),
  };
}

function readSearch(query: Query): WorkspaceSearch {
  const given = (name: string) => query[name] || undefined;
  const list = (name: string) =>
    given(name)
      ?.split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return {
    namePart: given("search[name]"),
    wildcard: given("search[wildcard-name]"),
    tags: list("search[tags]"),
    excludedTags: list("search[exclude-tags]") ?? list("search[exclude_tags]"),
    projectId: given("filter[project][id]"),
    sort: readSort(query["sort"] ?? ""),
    matchesNothing: Object.keys(query).some(
      (name) => name.startsWith("filter[current-run]") || name.startsWith("filter[tagged]"),
    ),
  };
}

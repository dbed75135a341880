import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { apiRoutes, type Registrar } from "../http/jsonapi/jsonapi.ts";
import { createKeptCounts } from "../limits/kept-counts.ts";
import { warned } from "../http/jsonapi/warnings.ts";
import { readIdPrefix, type QueryParameters } from "../http/query.ts";
import { effectiveFor, renderIncluded, readWorkspaceInclude } from "./include.ts";
import { readSort, searchWorkspaces, type WorkspaceSearch } from "./list.ts";
import { renderOne, renderWorkspaces } from "./render.ts";
import type { WorkspaceResource } from "./resource.ts";
import { readTagged } from "../tags/holders/bindings/parameters.ts";
import { readBindings } from "../tags/holders/bindings/schema.ts";
import { readTagReferences } from "../tags/holders/workspace-tags/routes.ts";
import {
  includeQuery,
  lockBody,
  workspaceBody,
  workspaceDocument,
  workspaceList,
  workspaceListQuery,
  writtenWorkspace,
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

const OF_ORGANIZATION = "/organizations/:organization_name/workspaces";
const BY_ID = "/workspaces/:workspace_id";
const BY_NAME = "/organizations/:organization_name/workspaces/:workspace_name";

/** Memory for counts of workspaces by keys and values. */
const KEPT_BYTES = 1024 * 1024;

const GONE = "Deleted.";

/** Workspaces by id and by name, and the actions on them. */
export const workspaceRoutes = apiRoutes("Workspaces", (on) => {
  const kept = createKeptCounts(KEPT_BYTES);
  on.list(OF_ORGANIZATION, {
    operationId: "listWorkspaces",
    summary: "List workspaces",
    query: workspaceListQuery,
    answer: workspaceList,
    handle: async ({ ctx, params, query }, page) => {
      const include = readWorkspaceInclude(query);
      const { workspaces, total } = await searchWorkspaces(
        ctx,
        kept,
        params.organization_name,
        readSearch(query),
        page,
      );
      const effective = await effectiveFor(ctx, workspaces, include);
      const { data, shown } = await renderWorkspaces(ctx, workspaces, effective);
      const included = await renderIncluded(ctx, shown, include, effective);
      return { data, total, found: workspaces.length, included };
    },
  });
  on.create(OF_ORGANIZATION, {
    operationId: "createWorkspace",
    summary: "Create a workspace",
    description: "Tags can be set in the same request.",
    body: workspaceBody,
    answer: writtenWorkspace,
    handle: async ({ ctx, params, body }) => {
      const { workspace, warnings } = await createWorkspace(ctx, params.organization_name, readInput(body));
      return warned(await document(ctx, workspace), warnings);
    },
  });
  registerItem(on, BY_ID, "", ({ params }) => ({ id: (params as { workspace_id: string }).workspace_id }));
  registerItem(on, BY_NAME, "ByName", ({ params }) => {
    const { organization_name: organization, workspace_name: name } = params as Record<string, string>;
    return { organization: organization ?? "", name: name ?? "" };
  });
  registerLocks(on);
});

/** The routes of one workspace; it can be named in two ways. */
function registerItem(
  on: Registrar,
  url: string,
  suffix: string,
  path: (request: FastifyRequest) => WorkspacePath,
): void {
  on.read(url, {
    operationId: `readWorkspace${suffix}`,
    summary: "Read a workspace",
    query: includeQuery,
    answer: workspaceDocument,
    handle: async (request) => {
      const { ctx, query } = request;
      const include = readWorkspaceInclude(query);
      const workspace = await getWorkspace(ctx, path(request), "read");
      const effective = await effectiveFor(ctx, [workspace], include);
      const included = await renderIncluded(ctx, [workspace], include, effective);
      return { data: await renderOne(ctx, workspace, effective), included };
    },
  });
  on.patch(url, {
    operationId: `updateWorkspace${suffix}`,
    summary: "Update a workspace",
    description: "Only the members in the body change.",
    body: workspaceBody,
    answer: writtenWorkspace,
    handle: async (request) => {
      const { ctx, body } = request;
      const { workspace, warnings } = await changeWorkspaceFields(ctx, path(request), readInput(body));
      return warned(await document(ctx, workspace), warnings);
    },
  });
  on.delete(url, {
    operationId: `deleteWorkspace${suffix}`,
    summary: "Delete a workspace",
    description: "Locked workspaces are deleted, too.",
    answer: GONE,
    handle: (request) => removeWorkspace(request.ctx, path(request), false),
  });
  on.post(`${url}/actions/safe-delete`, {
    operationId: `safeDeleteWorkspace${suffix}`,
    summary: "Delete an unlocked workspace",
    answer: GONE,
    refusals: [409],
    handle: (request) => removeWorkspace(request.ctx, path(request), true),
  });
}

function registerLocks(on: Registrar): void {
  const common = { answer: workspaceDocument, refusals: [409] } as const;
  on.act(`${BY_ID}/actions/lock`, {
    ...common,
    operationId: "lockWorkspace",
    summary: "Lock a workspace",
    body: lockBody,
    handle: async ({ ctx, params, body }) => {
      const reason = body?.reason ?? body?.data?.attributes?.reason ?? "";
      return document(ctx, await lockWorkspace(ctx, params.workspace_id, reason));
    },
  });
  on.act(`${BY_ID}/actions/unlock`, {
    ...common,
    operationId: "unlockWorkspace",
    summary: "Unlock a workspace",
    description: "Unlocks only a workspace that this token locked.",
    handle: async ({ ctx, params }) => document(ctx, await unlockWorkspace(ctx, params.workspace_id, false)),
  });
  on.act(`${BY_ID}/actions/force-unlock`, {
    ...common,
    operationId: "forceUnlockWorkspace",
    summary: "Force-unlock a workspace",
    handle: async ({ ctx, params }) => document(ctx, await unlockWorkspace(ctx, params.workspace_id, true)),
  });
}

async function document(ctx: Context, workspace: Workspace): Promise<{ data: WorkspaceResource }> {
  return { data: await renderOne(ctx, workspace) };
}

function readInput({ data }: WorkspaceBody): WorkspaceInput {
  const { name, ...attributes } = data.attributes ?? {};
  const { tags, "tag-bindings": bindings } = data.relationships ?? {};
  return {
    name,
    attributes,
    projectId: data.relationships?.project?.data?.id,
    tags: tags?.data === undefined ? undefined : readTagReferences(tags.data),
    bindings: bindings?.data === undefined ? undefined : readBindings(bindings.data),
  };
}

function readSearch(query: QueryParameters): WorkspaceSearch {
  const given = (name: string) => query[name] || undefined;
  const list = (name: string) =>
    (query[name] ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return {
    namePart: given("search[name]"),
    wildcard: given("search[wildcard-name]"),
    tags: list("search[tags]"),
    excludedTags: [...list("search[exclude-tags]"), ...list("search[exclude_tags]")],
    projectId: given("filter[project][id]"),
    ids: readIdPrefix(query, "ws"),
    sort: readSort(query["sort"] ?? ""),
    tagged: readTagged(query),
    matchesNothing: Object.keys(query).some((name) => name.startsWith("filter[current-run]")),
  };
}

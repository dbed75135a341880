import type { Static } from "typebox";
import { AppError } from "../errors.ts";
import { errorResponses } from "../http/jsonapi-errors.ts";
import type { ApiRoutes } from "../http/jsonapi.ts";
import { paginationLinks, paginationMeta, readPage } from "../http/pagination.ts";
import { readInclude, type Query } from "../http/query.ts";
import { renderProject } from "./render.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

const TAGS = ["Projects"];

/** In one filter. */
const MAX_NAMES = 100;

/** The projects API. */
export const projectRoutes: ApiRoutes = (app, _options, done) => {
  app.get("/organizations/:organization_name/projects", { config: { shared: true }, schema: LIST }, async (request) => {
    const { query, ctx } = request;
    const page = readPage(query);
    const { organization_name: organization } = request.params;
    const { projects, total } = await service.listProjects(ctx, organization, readSearch(query), page);
    return {
      data: projects.map((project) => renderProject(ctx.actor, project)),
      links: paginationLinks(request, page, total),
      meta: { pagination: paginationMeta(page, total) },
    };
  });

  app.post("/organizations/:organization_name/projects", { schema: CREATE }, async (request, reply) => {
    const { organization_name: organization } = request.params;
    const project = await service.createProject(request.ctx, organization, readInput(request.body));
    return reply.code(201).send({ data: renderProject(request.ctx.actor, project) });
  });

  app.get("/projects/:project_id", { schema: READ }, async (request, reply) => {
    readInclude(request.query, []);
    const project = await service.readProject(request.ctx, request.params.project_id);
    return reply.send({ data: renderProject(request.ctx.actor, project) });
  });

  app.patch("/projects/:project_id", { schema: UPDATE }, async (request, reply) => {
    const project = await service.updateProject(request.ctx, request.params.project_id, readInput(request.body));
    return reply.send({ data: renderProject(request.ctx.actor, project) });
  });

  app.delete("/projects/:project_id", { schema: DELETE }, async (request, reply) => {
    await service.deleteProject(request.ctx, request.params.project_id);
    return reply.code(204).send(null);
  });

  app.post("/projects/:project_id/relationships/workspaces", { schema: MOVE }, async (request, reply) => {
    const ids = request.body.data.map((workspace) => workspace.id);
    await service.moveWorkspaces(request.ctx, request.params.project_id, ids);
    return reply.code(204).send(null);
  });
  done();
};

function readSearch(query: Query): service.ProjectSearch {
  readInclude(query, []);
  const { q, "filter[names]": names, sort } = query;
  return {
    ...(q === undefined || q === "" ? {} : { part: q }),
    ...(names === undefined || names === "" ? {} : { names: readNames(names) }),
    tagged: Object.keys(query).some((name) => name.startsWith("filter[tagged]")),
    order: sort === "-name" ? "desc" : "asc",
  };
}

/** @throws AppError `bad_parameter` when there are more than a page could show */
function readNames(text: string): string[] {
  const names = text.split(",", MAX_NAMES + 1);
  if (names.length > MAX_NAMES) {
    throw new AppError("bad_parameter", `The parameter filter[names] must have at most ${MAX_NAMES} names`);
  }
  return names.map((name) => name.trim());
}

type Body = Static<typeof schema.createBody> | Static<typeof schema.updateBody>;

function readInput({ data: { attributes = {}, relationships = {} } }: Body): service.ProjectInput {
  const agentPool = attributes["default-agent-pool-id"] ?? relationships["default-agent-pool"]?.data ?? null;
  return {
    name: attributes.name ?? undefined,
    description: attributes.description,
    defaultExecutionMode: attributes["default-execution-mode"],
    overwritesExecutionMode: attributes["setting-overwrites"]?.["default-execution-mode"],
    autoDestroyActivityDuration: attributes["auto-destroy-activity-duration"],
    hasAgentPool: agentPool !== null,
    hasTagBindings: (relationships["tag-bindings"]?.data?.length ?? 0) > 0,
  };
}

const LIST = {
  operationId: "listProjects",
  summary: "Projects of an organization, in order of their names",
  tags: TAGS,
  params: schema.organizationParams,
  querystring: schema.listQuery,
  response: { 200: schema.projectList },
};

const CREATE = {
  operationId: "createProject",
  summary: "Creates a project",
  tags: TAGS,
  params: schema.organizationParams,
  body: schema.createBody,
  response: { 201: schema.projectDocument },
};

const READ = {
  operationId: "readProject",
  summary: "One project",
  tags: TAGS,
  params: schema.projectParams,
  querystring: schema.includeQuery,
  response: { 200: schema.projectDocument },
};

const UPDATE = {
  operationId: "updateProject",
  summary: "Changes what is given and leaves the rest",
  tags: TAGS,
  params: schema.projectParams,
  body: schema.updateBody,
  response: { 200: schema.projectDocument },
};

const DELETE = {
  operationId: "deleteProject",
  summary: "Deletes a project that holds no workspaces",
  tags: TAGS,
  params: schema.projectParams,
  response: { 204: schema.deleted, ...errorResponses(403, 409) },
};

const MOVE = {
  operationId: "moveWorkspaces",
  summary: "Moves workspaces of the same organization into the project, all or none",
  tags: TAGS,
  params: schema.projectParams,
  body: schema.moveBody,
  response: { 204: schema.moved },
};

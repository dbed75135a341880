import type { Static } from "typebox";
import { AppError } from "../errors.ts";
import { apiRoutes } from "../http/jsonapi/jsonapi.ts";
import { warned } from "../http/jsonapi/warnings.ts";
import { readFlag, readIdPrefix, type QueryParameters } from "../http/query.ts";
import { readBindings } from "../tags/holders/bindings/schema.ts";
import { readTagged } from "../tags/holders/bindings/parameters.ts";
import { renderProjects } from "./include.ts";
import { renderProject } from "./render.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

const OF_ORGANIZATION = "/organizations/:organization_name/projects";
const PROJECT = "/projects/:project_id";

/** In one filter. */
const MAX_NAMES = 100;

/** The projects API. */
export const projectRoutes = apiRoutes("Projects", (on) => {
  on.list(OF_ORGANIZATION, {
    operationId: "listProjects",
    summary: "List projects",
    description: "Newest first.",
    query: schema.listQuery,
    answer: schema.projectList,
    handle: async ({ ctx, params, query }, page) => {
      const search = readSearch(query);
      const { projects, total } = await service.listProjects(ctx, params.organization_name, search, page);
      return { ...(await renderProjects(ctx, projects, query)), total };
    },
  });
  on.create(OF_ORGANIZATION, {
    operationId: "createProject",
    summary: "Create a project",
    body: schema.createBody,
    answer: schema.writtenProject,
    handle: async ({ ctx, params, body }) => {
      const { project, warnings } = await service.createProject(ctx, params.organization_name, readInput(body));
      return warned({ data: renderProject(ctx.actor, project) }, warnings);
    },
  });
  on.read(PROJECT, {
    operationId: "readProject",
    summary: "Read a project",
    query: schema.includeQuery,
    answer: schema.projectDocument,
    handle: async ({ ctx, params, query }) => {
      const project = await service.readProject(ctx, params.project_id);
      const { data, included } = await renderProjects(ctx, [project], query);
      return { data: data[0], included };
    },
  });
  on.patch(PROJECT, {
    operationId: "updateProject",
    summary: "Update a project",
    description: "Only the members in the body change.",
    body: schema.updateBody,
    answer: schema.writtenProject,
    handle: async ({ ctx, params, body }) => {
      const { project, warnings } = await service.updateProject(ctx, params.project_id, readInput(body));
      return warned({ data: renderProject(ctx.actor, project) }, warnings);
    },
  });
  on.delete(PROJECT, {
    operationId: "deleteProject",
    summary: "Delete an empty project",
    answer: "Deleted.",
    refusals: [403, 409],
    handle: ({ ctx, params }) => service.deleteProject(ctx, params.project_id),
  });
});

function readSearch(query: QueryParameters): service.ProjectSearch {
  const { q, "filter[names]": names, sort } = query;
  return {
    part: q || undefined,
    names: names === undefined ? undefined : readNames(names),
    tagged: readTagged(query),
    ids: readIdPrefix(query, "prj"),
    rights: {
      update: readFlag(query, "filter[permissions][update]"),
      createWorkspace: readFlag(query, "filter[permissions][create-workspace]"),
    },
    // A client that has just made one looks for it on the first page.
    sort: sort === "name" || sort === "-name" ? sort : "newest",
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
  const { "tag-bindings": bindings } = relationships;
  const agentPool = attributes["default-agent-pool-id"] ?? relationships["default-agent-pool"]?.data ?? null;
  return {
    name: attributes.name ?? undefined,
    description: attributes.description,
    defaultExecutionMode: attributes["default-execution-mode"],
    overwrites: attributes["setting-overwrites"],
    autoDestroyActivityDuration: attributes["auto-destroy-activity-duration"],
    hasAgentPool: agentPool !== null,
    bindings: bindings?.data === undefined ? undefined : readBindings(bindings.data),
  };
}

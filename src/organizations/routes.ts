import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Actor } from "../rights/actor.ts";
import { apiRoutes, type Registrar } from "../http/jsonapi/jsonapi.ts";
import { pageDocument, readPage } from "../http/jsonapi/pagination.ts";
import { readInclude, type QueryParameters } from "../http/query.ts";
import { streamList } from "../http/sending/streamed-lists.ts";
import { renderProject } from "../projects/render.ts";
import { getOrganization } from "./access.ts";
import { renderEntitlementSet, renderOrganization, renderSeenOrganization } from "./render.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

const ORGANIZATIONS = "/organizations";
const ORGANIZATION = "/organizations/:organization_name";

/** The organizations API. */
export const organizationRoutes = apiRoutes("Organizations", (on) => {
  addReads(on);
  addWrites(on);
});

function addReads(on: Registrar): void {
  on.readOwn(ORGANIZATIONS, {
    operationId: "listOrganizations",
    summary: "List organizations",
    description: "Organizations that the token may read, or that have workspaces it may read; by name.",
    query: schema.listQuery,
    answer: schema.organizationList,
    handle: async (request) => {
      const { ctx, query } = request;
      const search = readSearch(query);
      if (query["page[number]"] === undefined && query["page[size]"] === undefined) return streamAll(request, search);
      const page = readPage(query);
      const { organizations, total } = await service.listOrganizations(ctx, search, page);
      return pageDocument(request, page, {
        data: organizations.map((each) => renderSeenOrganization(ctx.actor, each)),
        total,
      });
    },
  });
  on.read(ORGANIZATION, {
    operationId: "readOrganization",
    summary: "Read an organization",
    query: schema.readQuery,
    answer: schema.seenDocument,
    handle: async ({ ctx, params, query }) => {
      const include = readInclude(query, schema.INCLUDES);
      const { organization, isRead } = await service.seeOrganization(ctx, params.organization_name);
      const data = renderSeenOrganization(ctx.actor, organization);
      if (include.size === 0) return { data };
      if (!isRead) return { data, included: [] };
      const defaultProject = include.has("default_project")
        ? await service.readDefaultProject(ctx, organization)
        : undefined;
      const included = [
        ...(defaultProject === undefined ? [] : [renderProject(ctx.actor, defaultProject)]),
        ...(include.has("entitlement_set") ? [renderEntitlementSet(organization)] : []),
      ];
      return { data, included };
    },
  });
  on.read(`${ORGANIZATION}/entitlement-set`, {
    operationId: "readEntitlementSet",
    summary: "Read the entitlements of an organization",
    description: "Equal for all organizations.",
    answer: schema.entitlementSetDocument,
    handle: async ({ ctx, params }) => {
      const organization = await getOrganization(ctx, params.organization_name);
      return { data: renderEntitlementSet(organization) };
    },
  });
}

function addWrites(on: Registrar): void {
  on.create(ORGANIZATIONS, {
    operationId: "createOrganization",
    summary: "Create an organization",
    description: "The default project is created with it.",
    body: schema.createBody,
    answer: schema.organizationDocument,
    handle: async ({ ctx, body }) => {
      const organization = await service.createOrganization(ctx, readInput(body));
      return { data: renderOrganization(ctx.actor, organization) };
    },
  });
  const update = {
    summary: "Update an organization",
    description: "Only the members in the body change.",
    body: schema.updateBody,
    answer: schema.organizationDocument,
  };
  for (const [method, operationId] of [
    ["patch", "updateOrganization"],
    ["put", "replaceOrganization"],
  ] as const) {
    on[method](ORGANIZATION, {
      ...update,
      operationId,
      handle: async ({ ctx, params, body }) => {
        const organization = await service.updateOrganization(ctx, params.organization_name, readInput(body));
        return { data: renderOrganization(ctx.actor, organization) };
      },
    });
  }
  on.delete(ORGANIZATION, {
    operationId: "deleteOrganization",
    summary: "Delete an organization with its contents",
    answer: "Deleted.",
    handle: ({ ctx, params }) => service.deleteOrganization(ctx, params.organization_name),
  });
}

function readSearch(query: QueryParameters): service.OrganizationSearch {
  const given = (name: string) => query[name] || undefined;
  return { nameOrEmail: given("q"), name: given("q[name]"), email: given("q[email]") };
}

type Body = Static<typeof schema.createBody> | Static<typeof schema.updateBody>;

function readInput({ data }: Body): service.OrganizationInput {
  const { name, email, "default-execution-mode": defaultExecutionMode, ...attributes } = data.attributes ?? {};
  return {
    name: name ?? undefined,
    email: email ?? undefined,
    defaultExecutionMode,
    hasAgentPool: (data.relationships?.["default-agent-pool"]?.data ?? null) !== null,
    attributes,
  };
}

/**
 * The whole list as a stream of JSON text, since it may be far larger than what should be held at once. Its first slice
 * is read here: until the answer begins, a failure can still be told.
 */
async function streamAll(request: FastifyRequest, search: service.OrganizationSearch): Promise<Readable> {
  const slices = service.streamOrganizations(request.ctx, search);
  const first = await slices.next();
  return streamList(request, listText(request.ctx.actor, first, slices));
}

type Slices = ReturnType<typeof service.streamOrganizations>;

/** Organizations that are turned into text in one turn of the event loop. */
const PIECE = 20;

async function* listText(actor: Actor, first: Awaited<ReturnType<Slices["next"]>>, slices: Slices) {
  let separator = `{"data":[`;
  for (let slice = first; slice.done !== true; slice = await slices.next()) {
    for (let i = 0; i < slice.value.length; i += PIECE) {
      const piece = slice.value.slice(i, i + PIECE).map((each) => JSON.stringify(renderSeenOrganization(actor, each)));
      yield separator + piece.join(",");
      separator = ",";
    }
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

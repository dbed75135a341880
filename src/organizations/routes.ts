import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Actor } from "../acl/actor.ts";
import type { ApiRoutes } from "../http/jsonapi.ts";
import { paginationLinks, paginationMeta, readPage } from "../http/pagination.ts";
import { readInclude, type Query } from "../http/query.ts";
import { renderProject } from "../projects/render.ts";
import { renderEntitlementSet, renderOrganization } from "./render.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

const TAGS = ["Organizations"];

/** The organizations API. */
export const organizationRoutes: ApiRoutes = (app, _options, done) => {
  app.get("/organizations", { schema: LIST }, async (request, reply) => {
    const { query } = request;
    const search = readSearch(query);
    if (query["page[number]"] === undefined && query["page[size]"] === undefined) {
      return (reply as FastifyReply).send(await streamAll(request, search));
    }
    const page = readPage(query);
    const { organizations, total } = await service.listOrganizations(request.ctx, search, page);
    return reply.send({
      data: organizations.map((organization) => renderOrganization(request.ctx.actor, organization)),
      links: paginationLinks(request, page, total),
      meta: { pagination: paginationMeta(page, total) },
    });
  });

  app.post("/organizations", { schema: CREATE }, async (request, reply) => {
    const organization = await service.createOrganization(request.ctx, readInput(request.body));
    return reply.code(201).send({ data: renderOrganization(request.ctx.actor, organization) });
  });

  app.get("/organizations/:organization_name", { schema: READ }, async (request, reply) => {
    const include = readInclude(request.query, schema.INCLUDES);
    const wanted = { defaultProject: include.has("default_project") };
    const { actor } = request.ctx;
    const { organization_name: name } = request.params;
    const { organization, defaultProject } = await service.readOrganization(request.ctx, name, wanted);
    const included = [
      ...(defaultProject === undefined ? [] : [renderProject(actor, defaultProject)]),
      ...(include.has("entitlement_set") ? [renderEntitlementSet(organization)] : []),
    ];
    const data = renderOrganization(actor, organization);
    return reply.send(include.size === 0 ? { data } : { data, included });
  });

  for (const method of ["PATCH", "PUT"] as const) {
    app.route({
      method,
      url: "/organizations/:organization_name",
      schema: { ...UPDATE, operationId: method === "PATCH" ? "updateOrganization" : "replaceOrganization" },
      async handler(request, reply) {
        const { organization_name: name } = request.params;
        const organization = await service.updateOrganization(request.ctx, name, readInput(request.body));
        return reply.send({ data: renderOrganization(request.ctx.actor, organization) });
      },
    });
  }

  app.delete("/organizations/:organization_name", { schema: DELETE }, async (request, reply) => {
    await service.deleteOrganization(request.ctx, request.params.organization_name);
    return reply.code(204).send(null);
  });

  app.get("/organizations/:organization_name/entitlement-set", { schema: ENTITLEMENTS }, async (request, reply) => {
    const { organization_name: name } = request.params;
    const { organization } = await service.readOrganization(request.ctx, name, { defaultProject: false });
    return reply.send({ data: renderEntitlementSet(organization) });
  });
  done();
};

function readSearch(query: Query): service.OrganizationSearch {
  const { q, "q[name]": name, "q[email]": email } = query;
  return {
    ...(q === undefined || q === "" ? {} : { nameOrEmail: q }),
    ...(name === undefined || name === "" ? {} : { name }),
    ...(email === undefined || email === "" ? {} : { email }),
  };
}

type Body = Static<typeof schema.createBody> | Static<typeof schema.updateBody>;

function readInput({ data }: Body): service.OrganizationInput {
  const { name, email, "default-execution-mode": defaultExecutionMode, ...settings } = data.attributes ?? {};
  return {
    name: name ?? undefined,
    email: email ?? undefined,
    defaultExecutionMode,
    hasAgentPool: (data.relationships?.["default-agent-pool"]?.data ?? null) !== null,
    settings,
  };
}

/**
 * The whole list as a stream of JSON text, since it may be far larger than what
 * should be held at once. Its first slice is read here: until the answer begins,
 * a failure can still be told.
 */
async function streamAll(request: FastifyRequest, search: service.OrganizationSearch): Promise<Readable> {
  const slices = service.streamOrganizations(request.ctx, search);
  const first = await slices.next();
  return Readable.from(listText(request.ctx.actor, first, slices));
}

type Slices = ReturnType<typeof service.streamOrganizations>;

/** Organizations that are turned into text in one turn of the event loop. */
const PIECE = 20;

async function* listText(actor: Actor, first: Awaited<ReturnType<Slices["next"]>>, slices: Slices) {
  let separator = `{"data":[`;
  for (let slice = first; slice.done !== true; slice = await slices.next()) {
    for (let i = 0; i < slice.value.length; i += PIECE) {
      const piece = slice.value.slice(i, i + PIECE).map((each) => JSON.stringify(renderOrganization(actor, each)));
      yield separator + piece.join(",");
      separator = ",";
      await setImmediate();
    }
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

const LIST = {
  operationId: "listOrganizations",
  summary: "Organizations that the token may read, in order of their names",
  tags: TAGS,
  querystring: schema.listQuery,
  response: { 200: schema.organizationList },
};

const CREATE = {
  operationId: "createOrganization",
  summary: "Creates an organization with its default project",
  tags: TAGS,
  body: schema.createBody,
  response: { 201: schema.organizationDocument },
};

const READ = {
  operationId: "readOrganization",
  summary: "One organization",
  tags: TAGS,
  params: schema.organizationParams,
  querystring: schema.readQuery,
  response: { 200: schema.organizationDocument },
};

const UPDATE = {
  summary: "Changes what is given and leaves the rest",
  tags: TAGS,
  params: schema.organizationParams,
  body: schema.updateBody,
  response: { 200: schema.organizationDocument },
};

const DELETE = {
  operationId: "deleteOrganization",
  summary: "Deletes an organization with all that it owns",
  tags: TAGS,
  params: schema.organizationParams,
  response: { 204: schema.deleted },
};

const ENTITLEMENTS = {
  operationId: "readEntitlementSet",
  summary: "What an organization may use; the same for all",
  tags: TAGS,
  params: schema.organizationParams,
  response: { 200: schema.entitlementSetDocument },
};

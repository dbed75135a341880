import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { ApiRoutes } from "./jsonapi.ts";
import { shapeOf } from "./schema.ts";

/**
 * Paths of the services that clients look up before anything else. There is no registry of modules, but a client that asks
 * for one is to find that a module is missing, and not that this host is none of its kind.
 */
const SERVICES = {
  "modules.v1": "/api/registry/v1/modules/",
  "tfe.v2": "/api/v2/",
  "tfe.v2.1": "/api/v2/",
  "tfe.v2.2": "/api/v2/",
};

/**
 * `GET /.well-known/terraform.json`: where the API is. Needs no token, and is
 * the one answer whose media type clients insist on.
 */
export function registerDiscovery(app: FastifyInstance): void {
  const document = JSON.stringify(SERVICES);
  app.get("/.well-known/terraform.json", { config: { public: true }, schema: DISCOVERY }, (_request, reply) =>
    // As bytes, because Fastify would add a charset to the type of a text.
    reply.header("content-type", "application/json").send(Buffer.from(document)),
  );
}

const DISCOVERY = {
  operationId: "discoverServices",
  summary: "Discover the API paths",
  tags: ["Discovery"],
  produces: ["application/json"],
  response: {
    200: { ...shapeOf(SERVICES), description: "Services and their paths.", examples: [SERVICES] },
  },
};

/** `GET /ping`: clients read the version and the product's name from the headers of its answer. */
export const pingRoutes: ApiRoutes = (app, _options, done) => {
  app.get("/ping", { config: { public: true }, schema: PING }, (_request, reply) => {
    void reply.code(204).send(null);
  });
  done();
};

const PING = {
  operationId: "ping",
  summary: "Read the API version",
  tags: ["Discovery"],
  response: { 204: Type.Null({ description: "The API is available." }) },
};

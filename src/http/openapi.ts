import Fastify, { type FastifyInstance, type FastifySchema } from "fastify";
import { readVersion } from "../config/version.ts";
import { errorResponses, type ErrorStatus, MEDIA_TYPE } from "./jsonapi-errors.ts";
import { completeV1Schema } from "./v1/openapi.ts";
import type { RouteRecord, RouteTable } from "./route-table.ts";

export const PLAIN_TEXT = "text/plain; charset=utf-8";

/** A route's schema as this program writes it: the parts that validate, and what documents it. */
interface RouteSchema extends FastifySchema {
  produces?: string[];
  consumes?: string[];
  security?: Record<string, string[]>[];
  response?: Record<string, unknown>;
}

/** `GET /openapi.json`: the document of all routes, made when it is first asked for. */
export function registerOpenApi(app: FastifyInstance, routes: RouteTable): void {
  let document: Promise<Buffer> | undefined;
  app.get("/openapi.json", { config: { public: true, undocumented: true } }, async (_request, reply) => {
    document ??= makeDocument(routes).catch((error: unknown) => {
      // What failed once may work the next time.
      document = undefined;
      throw error;
    });
    return reply.header("content-type", "application/json").send(await document);
  });
}

async function makeDocument(routes: RouteTable): Promise<Buffer> {
  return Buffer.from(JSON.stringify(await describeRoutes(routes.records)));
}

/**
 * The OpenAPI 3.1 document of these routes, made from the schemas that also
 * validate. The generator wants to see routes being registered: it is given a
 * server of its own that never listens, so that the real one starts without it.
 */
async function describeRoutes(records: readonly RouteRecord[]): Promise<object> {
  const { default: swagger } = await import("@fastify/swagger");
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tessera",
        version: readVersion(),
        description: "Organization tags, the workspaces that carry them, and access control.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" } as { name: string },
      },
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A token's SecretID." } },
      },
    },
  });
  for (const record of records) {
    if (record.undocumented) continue;
    app.route({
      method: record.method,
      // A parameter that takes the rest of the path has no name of its own.
      url: record.pattern.replace("/*", "/:name"),
      schema: record.pattern.startsWith("/v1/") ? completeV1Schema(record) : completeSchema(record),
      handler: () => undefined,
    });
  }
  await app.ready();
  return app.swagger();
}

/** Adds what a family does for all its routes: media types, the token, and the refusals that need no word in a route. */
function completeSchema(record: RouteRecord): FastifySchema {
  // A copy: the generator takes examples out of what it is given.
  const schema = JSON.parse(JSON.stringify(record.schema ?? {})) as RouteSchema;
  const isJsonApi = record.pattern.startsWith("/api/v2/");
  const hasBody = record.method !== "GET";
  const common: ErrorStatus[] = [
    400,
    ...(record.public ? [] : ([401, 404] as const)),
    ...(hasBody ? ([413, 415, 422] as const) : []),
    421,
    500,
    503,
  ];
  const added: RouteSchema = {
    produces: [isJsonApi ? MEDIA_TYPE : "text/plain"],
    ...(hasBody ? { consumes: [MEDIA_TYPE] } : {}),
    security: record.public ? [] : [{ bearer: [] }],
    ...schema,
    response: isJsonApi ? { ...errorResponses(...common), ...schema.response } : { ...schema.response },
  };
  return JSON.parse(JSON.stringify(added)) as FastifySchema;
}

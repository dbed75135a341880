/** The OpenAPI document of all routes, made from the schemas that also validate. */
import Fastify from "fastify";
import { readVersion } from "../../config/version.ts";
import type { RouteRecord } from "../route-table.ts";
import { completeSchema, REFUSED_BEFORE } from "./complete.ts";
import { type Media, mediasOf, type Operation, operationsOf, type OpenApi, type Schema } from "./model.ts";
import { nameSchemas } from "./names.ts";
import { gatherRefusals } from "./refusals.ts";
import { shareParts } from "./share.ts";
import { simplify } from "./simplify.ts";
import { TAGS } from "./tags.ts";

/** The document of these routes. @throws Error when two schemas would have one name */
export async function describeRoutes(records: readonly RouteRecord[]): Promise<OpenApi> {
  const document = await collect(records);
  const { responses, securitySchemes } = document.components;
  document.components = {
    schemas: {},
    headers: {},
    parameters: {},
    examples: {},
    requestBodies: {},
    responses,
    securitySchemes,
  };
  for (const { media } of operationsOf(document).flatMap(mediasOf)) tidy(media);
  operationsOf(document).forEach(word);
  for (const { parameters = [] } of operationsOf(document))
    for (const parameter of parameters) if ("required" in parameter && !parameter.required) delete parameter.required;
  gatherRefusals(document);
  nameSchemas(document);
  shareParts(document);
  const used = new Set(operationsOf(document).flatMap(({ tags }) => tags));
  const { openapi, info, paths, components, security } = document;
  return {
    openapi,
    info,
    servers: [{ url: "/", description: "The server that this document comes from." }],
    security,
    tags: TAGS.filter(({ name }) => used.has(name)),
    paths,
    components,
  } as OpenApi;
}

/** An operation is called by its name, and what it does is its description. */
function word(operation: Operation): void {
  const { operationId, summary, description } = operation;
  const words = operationId
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(?:oidc|id|url)\b/g, (each) => each.toUpperCase());
  operation.summary = words.charAt(0).toUpperCase() + words.slice(1);
  operation.description = description ?? `${summary}.`;
}

/** Puts the example beside the schema, and leaves what the schema is said to be to the answer that says it too. */
function tidy(media: Media): void {
  if (media.schema === undefined) return;
  const {
    examples = [],
    description: _description,
    ...schema
  } = simplify(media.schema) as Schema & { examples?: unknown[] };
  if (media.example === undefined && media.examples === undefined && examples.length > 0) media.example = examples[0];
  media.schema = schema;
}

/**
 * What the generator makes of the routes. It wants to see them being registered: it is given a server of its own that
 * never listens, so that the real one starts without it.
 */
async function collect(records: readonly RouteRecord[]): Promise<OpenApi> {
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
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" } as { name: string },
      },
      components: {
        responses: REFUSED_BEFORE,
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
      schema: completeSchema(record),
      handler: () => undefined,
    });
  }
  await app.ready();
  return JSON.parse(JSON.stringify(app.swagger())) as OpenApi;
}

const DESCRIPTION = `Organization tags, the workspaces that carry them, and access control.

Every operation that answers GET answers HEAD too, with the same headers and no body. Any request can be refused before its
operation is chosen: 408, 417, 421 and 431 are described once, under components.responses, as are 403 for any that changes
something and 413 for any that has a body.`;

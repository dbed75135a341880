/** The OpenAPI document of all routes, made from the schemas that also validate. */
import Fastify from "fastify";
import { readVersion } from "../../config/version.ts";
import { laterPart } from "../../later-part.ts";
import type { RouteRecord } from "../route-table.ts";
import { completeSchema } from "./complete.ts";
import {
  type Media,
  mediasOf,
  type OperationObject,
  operationsOf,
  type OpenApi,
  type ParameterObject,
  type Schema,
} from "./model.ts";
import { nameSchemas } from "./names.ts";
import { gatherRefusals } from "./refusals.ts";
import { shareParts } from "./share.ts";
import { fieldName, simplify } from "./simplify.ts";
import { TAGS } from "./tags.ts";

/** The document of these routes. @throws Error when two schemas would have one name */
export async function describeRoutes(records: readonly RouteRecord[]): Promise<OpenApi> {
  const document = await collect(records);
  const { securitySchemes } = document.components;
  document.components = {
    schemas: {},
    headers: {},
    parameters: {},
    examples: {},
    requestBodies: {},
    responses: {},
    securitySchemes,
  };
  for (const { media } of operationsOf(document).flatMap(mediasOf)) tidy(media);
  operationsOf(document).forEach(word);
  operationsOf(document).forEach(tidyParameters);
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

/** Leaves out what goes without saying, and tells apart what would have one name in a Go client. */
function tidyParameters({ parameters = [] }: OperationObject): void {
  const fields = new Set<string>();
  for (const parameter of parameters) {
    if ("$ref" in parameter) continue;
    if (!parameter.required) delete parameter.required;
    if (parameter.in === "path") parameter.example = exampleOf(parameter);
    const field = fieldName(parameter.name);
    if (fields.has(field)) parameter["x-go-name"] = `${field}2`;
    fields.add(field);
  }
}

/** Parts of paths as an example has them, by the parameter's name; what is not here is a name, or an ID of access control. */
const PARTS: Readonly<Record<string, string>> = {
  organization_name: "acme",
  workspace_name: "prod-network",
  project_id: "prj-Ab3kXyZ12mNoPqRs",
  workspace_id: "ws-Ab3kXyZ12mNoPqRs",
  tag_id: "tag-Ab3kXyZ12mNoPqRs",
  reserved_tag_key_id: "rtk-Ab3kXyZ12mNoPqRs",
  tag_job_id: "tj-Ab3kXyZ12mNoPqRs",
  webhook_id: "wh-Ab3kXyZ12mNoPqRs",
  id: "d7b7e2a1-3c0f-4f0e-9a55-0d2f7f3c6b11",
  accessor: "6a1253d2-1785-24fd-91c2-f8e78c745511",
  request_id: "0198f3a1-5f0e-7c3b-9d55-7a2e0c4b8f10",
};

/** An example of a part of a path, with which every operation can be asked as the document shows it. */
function exampleOf({ name, description = "" }: ParameterObject): string {
  return PARTS[name] ?? (description.includes("builtin/") ? "builtin/service" : "web");
}

/**
 * Moves the summary of an operation to its description. A summary would repeat the `operationId` in words, which
 * readers can derive.
 */
function word(operation: OperationObject): void {
  const { summary, description } = operation;
  operation.description = description ?? `${summary}.`;
  delete operation.summary;
}

/** Puts the example beside the schema, and leaves what the schema is said to be to the answer that says it too. */
function tidy(media: Media): void {
  if (media.schema === undefined) return;
  const whole = simplify(media.schema);
  const { examples = examplesOf(whole.anyOf), description: _description, ...schema } = whole as Exemplified;
  if (media.example === undefined && media.examples === undefined && examples.length > 0) media.example = examples[0];
  media.schema = schema;
}

type Exemplified = Schema & { examples?: unknown[] };

/** Examples of the forms that a schema allows. */
function examplesOf(forms: readonly Exemplified[] = []): unknown[] {
  return forms.flatMap(({ examples = [] }) => examples);
}

/**
 * Document that the generator builds from the routes. The generator must see the routes being registered. It gets a
 * server of its own that never listens, so that the real server starts without it.
 */
async function collect(records: readonly RouteRecord[]): Promise<OpenApi> {
  const { default: swagger } = await laterPart(async () => import("@fastify/swagger"));
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

Every operation that answers GET answers HEAD too, with the same headers and no body. What an operation answers by default is
any refusal, each with its example. X-Tessera-Owner of an answer names the directories of declared files that own what was written; a
request with \`X-Tessera-Unowned: true\` is refused (409, 412) to write that, by whomever it comes. Before its operation is chosen, any request can be refused in the same form:

- 400: the URL, the host in it or the Host header is malformed, or there are several.
- 403: a browser says that a page of another origin sends the request, which is no GET, HEAD or OPTIONS.
- 404, 405: there is no such path, or it does not answer this method; Allow names those that it does.
- 408: the request did not arrive in time: 10 s for its headers, 30 s for all of it.
- 413: the body is larger than 1 MiB, or a file than 64 MiB.
- 417: the Expect header asks for something else than 100-continue.
- 421: the Host header names a host that this server does not answer for.
- 431: the headers, the URL among them, are larger than 16 KiB.

A write of an object that \`/dry-run\` stands before, such as \`PUT /dry-run/v1/acl/policy\`, is tried and not made: by the same rights it is refused
as the write would be, else answered with 204, \`X-Dry-Run: true\` and no body. So can be tried what makes, replaces, changes or deletes one partition, namespace,
policy, role, token, auth method, binding rule, organization, project or workspace, tags and bindings of these, and the rules for tags. After \`/dry-run/in-new\`, a namespace or
partition that is not there yet counts as there, under \`/v1\`.`;

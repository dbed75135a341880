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
  operationsOf(document).forEach(tidyParameters);
  gatherRefusals(document);
  nameSchemas(document);
  shareParts(document);
  const used = new Set(operationsOf(document).flatMap(({ tags }) => tags));
  const { openapi, info, paths, components, security } = document;
  return {
    openapi,
    info,
    servers: [{ url: "/", description: "Server of this document." }],
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
        securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "SecretID of a token." } },
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

const DESCRIPTION = `Organization tags, the workspaces that have them, and access control.

Every GET operation also supports HEAD, with the same headers and no body. The default response of an operation covers all
errors, with an example of each. X-Tessera-Owner in a response names the directories of declared files that manage the written object.
A write of such an object with \`X-Tessera-Unowned: true\` is rejected (409, 412), for every caller. Any request can be rejected
in the same form before its operation is selected:

- 400: the URL, its host or the Host header is malformed, or repeated.
- 403: a browser sends the request for a page of another origin, and the method is not GET, HEAD or OPTIONS.
- 404, 405: path not found, or method not allowed; Allow lists the methods.
- 408: the request did not arrive in time: 10 s for its headers, 30 s in total.
- 413: the body is larger than 1 MiB, or a file than 64 MiB.
- 417: the Expect header contains anything except 100-continue.
- 421: unknown host in the Host header.
- 431: the headers, including the URL, are larger than 16 KiB.

The prefix \`/dry-run\`, such as in \`PUT /dry-run/v1/acl/policy\`, validates a write and changes nothing. The permissions of the write apply.
The response is the error of the write, or 204 with \`X-Dry-Run: true\` and no body. A dry run works for every create, replace, update
or delete of one partition, namespace, policy, role, token, auth method, binding rule, organization, project or workspace, of their
tags and tag bindings, and of the tag policy. With \`/dry-run/in-new\`, under \`/v1\`, a missing namespace or partition is assumed to exist.`;

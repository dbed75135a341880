/** The lint of the API's own documentation: it bites as soon as a route says less than it does. */
import { readFileSync } from "node:fs";
import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  type Document,
  type Media,
  type Operation,
  readOperations,
  type ReadOperation,
} from "../../../test/support/openapi-document.ts";
import { openShell, type TestShell } from "../../../test/support/shell.ts";
import { registerOpenApi } from "./routes.ts";
import { collectRoutes } from "../route-table.ts";

const JSON_API = "application/vnd.api+json";

let shell: TestShell;
let document: Document;
let operations: ReadOperation[];
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);

beforeAll(async () => {
  shell = await openShell();
  const answer = await shell.app.inject({ url: "/openapi.json" });
  expect(answer.headers["content-type"]).toBe("application/json");
  document = answer.json();
  operations = readOperations(document);
  ajv.addSchema({ $id: "document", components: { schemas: document.components.schemas } });
});
afterAll(async () => shell.close());

/** Names of the operations that break a rule; the expectation shows them all at once. */
function offenders(breaks: (operation: Operation, path: string, method: string) => boolean): string[] {
  return operations.filter(({ operation, path, method }) => breaks(operation, path, method)).map(({ name }) => name);
}

describe("the OpenAPI document", () => {
  it("is version 3.1, has a token scheme and is made once", async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.components.securitySchemes).toEqual({ bearer: expect.objectContaining({ scheme: "bearer" }) });
    expect((await shell.app.inject({ url: "/openapi.json" })).json()).toEqual(document);
  });

  it("names the version of the package", () => {
    const text = readFileSync(new URL("../../../packaging/manifest.json", import.meta.url), "utf8");
    expect(document.info).toMatchObject({ version: (JSON.parse(text) as { version: string }).version });
  });

  it("is made anew when it could not be made the first time", async () => {
    let failures = 1;
    const schema = {
      get querystring() {
        if (failures-- > 0) throw new Error("not now");
        return { type: "object" };
      },
    };
    const app = Fastify();
    const routes = collectRoutes(app);
    registerOpenApi(app, {
      ...routes,
      records: [{ ...routes.unknown, method: "GET", pattern: "/ping", undocumented: false, schema }],
    });
    expect((await app.inject({ url: "/openapi.json" })).statusCode).toBe(500);
    const answer = await app.inject({ url: "/openapi.json" });
    expect([answer.statusCode, Object.keys(answer.json<Document>().paths)]).toEqual([200, ["/ping"]]);
    await app.close();
  });

  it("describes every route that is registered", () => {
    expect(operations.length).toBeGreaterThanOrEqual(5);
    const lines = shell.app.printRoutes({ commonPrefix: false }).split("\n");
    const registered = lines.flatMap((line) => /\(([A-Z, ]+)\)/.exec(line)?.[1]?.split(", ") ?? []);
    // Left out are the document in its two forms, the page with its files (five), the console with its own (eight), and nine paths that end in a slash too; the listing shows the two routes that take the
    // rest of the path as one.
    expect(operations.length).toBe(registered.length - 7 - 8 - 9 + 1);
  });

  it("gives each operation an id of its own, a summary and a tag that is described", () => {
    expect(offenders(({ operationId }) => !/^[a-z][A-Za-z0-9]*$/.test(operationId ?? ""))).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(offenders(({ summary = "" }) => summary.length < 8)).toEqual([]);
    expect(offenders(({ description = "Ends." }) => !/[.:]$/.test(description))).toEqual([]);
    const described = document.tags.filter(({ description }) => description.length > 10).map(({ name }) => name);
    expect(offenders(({ tags = [] }) => tags.length !== 1 || !described.includes(tags[0] ?? ""))).toEqual([]);
  });

  it("names every status that an operation can answer", () => {
    const lacks = (operation: Operation, ...statuses: string[]) =>
      statuses.some((status) => operation.responses[status] === undefined);
    const isApi = (path: string) => path.startsWith("/api/v2/");
    const isPublic = ({ security = [] }: Operation) => security.length === 0;
    expect(offenders(({ responses }) => !Object.keys(responses).some((status) => /^2\d\d$/.test(status)))).toEqual([]);
    expect(offenders((operation, path) => isApi(path) && lacks(operation, "400", "500", "503"))).toEqual([]);
    expect(
      offenders((operation, path) => isApi(path) && !isPublic(operation) && lacks(operation, "401", "404")),
    ).toEqual([]);
    expect(
      offenders((operation, path, method) => isApi(path) && method !== "get" && lacks(operation, "415", "422")),
    ).toEqual([]);
    expect(
      offenders((operation, path) => /^\/(?:healthz|readyz|metrics)$/.test(path) && lacks(operation, "503")),
    ).toEqual([]);
    expect(offenders((operation, path) => path === "/v1/acl/bootstrap" && lacks(operation, "429"))).toEqual([]);
    // Errors that occur before an operation is chosen are described once.
    const once = ["408", "413", "417", "421", "431"];
    expect(offenders(({ responses }) => once.some((status) => responses[status] !== undefined))).toEqual([]);
    expect(once.filter((status) => !document.info.description.includes(`\n- ${status}:`))).toEqual([]);
    expect(document.info.description).toContain("403: a browser sends the request for a page of another origin");
    expect(offenders(({ responses }) => Object.values(responses).some((each) => each.description.length < 5))).toEqual(
      [],
    );
    expect(
      offenders(({ responses }) => Object.values(responses).some((each) => each.description === "Default Response")),
    ).toEqual([]);
  });

  it("requires a token of all that is not public", () => {
    const open = offenders(({ security = [] }) => security.length === 0);
    expect(open.toSorted()).toEqual([
      "get /.well-known/authzen-configuration",
      "get /.well-known/terraform.json",
      "get /api/v2/ping",
      "get /healthz",
      "get /metrics",
      "get /readyz",
      "get /v1/acl/replication",
      "get /v1/catalog/datacenters",
      "get /v1/internal/ui/oidc-auth-methods",
      "get /v1/status/leader",
      "get /v1/status/peers",
      "post /v1/acl/login",
      "post /v1/acl/oidc/auth-url",
      "post /v1/acl/oidc/callback",
      "put /v1/acl/bootstrap",
    ]);
  });

  it("uses the family's media type for bodies and answers, but for streams of events and files", () => {
    const files = ["application/x-ndjson", "text/csv"];
    const streams = (status: string) => (status === "200" ? ["text/event-stream", ...files] : []);
    const wrong = (content: Record<string, Media> = {}, also: string[] = []) =>
      Object.keys(content).some((type) => type !== JSON_API && !also.includes(type));
    expect(
      offenders(
        ({ requestBody, responses }, path) =>
          path.startsWith("/api/v2/") &&
          (wrong(requestBody?.content, files) ||
            Object.entries(responses).some(([status, { content }]) => wrong(content, streams(status)))),
      ),
    ).toEqual([]);
  });

  it("says the media type of every write of /api/v2, also of one that takes nothing", () => {
    expect(
      offenders(
        ({ requestBody }, path, method) => path.startsWith("/api/v2/") && method !== "get" && requestBody === undefined,
      ),
    ).toEqual([]);
  });

  it("is the same as YAML, at most 328 KiB as JSON, and names where the server is", async () => {
    const answer = await shell.app.inject({ url: "/openapi.yaml" });
    expect(answer.headers["content-type"]).toBe("application/yaml");
    expect(parse(answer.body, { maxAliasCount: 0 })).toEqual(document);
    // Each path costs a kilobyte or more: saved views and coverage by day and by project came last.
    expect((await shell.app.inject({ url: "/openapi.json" })).rawPayload.length).toBeLessThanOrEqual(328 * 1024);
    expect(document.servers).toEqual([expect.objectContaining({ url: "/" })]);
  });

  it("documents each parameter, and all those of a path", () => {
    expect(
      offenders(({ parameters = [] }, path) => {
        const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
        const documented = parameters.filter((each) => each.in === "path").map(({ name }) => name);
        if (parameters.some(({ description = "" }) => description.length < 5)) return true;
        return named.length !== documented.length || named.some((name) => !documented.includes(name ?? ""));
      }),
    ).toEqual([]);
  });

  it("has an example of every part of a path: each operation can be asked as it is shown", () => {
    const shown = new Map<string, unknown>();
    const without = offenders(({ parameters = [] }, path) => {
      for (const { in: place, name, example } of parameters) {
        if (place !== "path") continue;
        if (typeof example !== "string" || example === "") return true;
        shown.set(`${path} ${name}`, example);
      }
      return false;
    });
    expect(without).toEqual([]);
    expect(shown.get("/api/v2/organizations/{organization_name} organization_name")).toBe("acme");
    expect(shown.get("/v1/acl/templated-policy/name/{name} name")).toBe("builtin/service");
  });

  it("has an example of every body and answer, and each matches its schema", () => {
    const wrong: string[] = [];
    for (const { name, operation } of operations) {
      const medias = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).map((media) => [status, media] as const),
      );
      medias.push(...Object.values(operation.requestBody?.content ?? {}).map((media) => ["body", media] as const));
      for (const [place, media] of medias) {
        const examples = examplesOf({ ...media, schema: referredTo(media.schema) ?? true });
        if (examples.length === 0) wrong.push(`${name}: ${place} has no example`);
        for (const example of examples) wrong.push(...check(`${name}: ${place}`, media.schema ?? true, example));
      }
      for (const { name: parameter, schema, example } of operation.parameters ?? []) {
        if (example !== undefined) wrong.push(...check(`${name}: parameter ${parameter}`, schema ?? true, example));
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Examples of a media type as a whole, of its schema, and of the forms that the schema allows. */
function examplesOf({ schema, example, examples = {} }: Media): unknown[] {
  const single = example === undefined ? [] : [example];
  return [...single, ...Object.values(examples).map(({ value }) => value), ...schemaExamples(schema)];
}

/** The schema that is referred to; of a list, with its entry's examples as entries. */
function referredTo(schema: AnySchema | undefined): AnySchema | undefined {
  if (typeof schema !== "object") return schema;
  const { $ref: reference = "", items } = schema as { $ref?: string; items?: AnySchema };
  if (items !== undefined) return { ...schema, examples: schemaExamples(referredTo(items)).map((each) => [each]) };
  return document.components.schemas[reference.slice("#/components/schemas/".length)] ?? schema;
}

function schemaExamples(schema: AnySchema | undefined): unknown[] {
  if (typeof schema !== "object") return [];
  const own: unknown = "examples" in schema ? schema.examples : [];
  const forms: unknown = "anyOf" in schema ? schema.anyOf : [];
  return [...(own as unknown[]), ...(forms as AnySchema[]).flatMap(schemaExamples)];
}

function check(place: string, schema: AnySchema, example: unknown): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as AnySchema);
  if (validate(example) === true) return [];
  return [`${place}: ${ajv.errorsText(validate.errors)}`];
}

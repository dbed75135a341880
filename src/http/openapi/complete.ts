/**
 * Completes the schema of a route with the parts that its family adds to all routes. The OpenAPI document is generated
 * from the result.
 */
import type { FastifySchema } from "fastify";
import { Type } from "typebox";
import { errorResponses, type ErrorStatus, MEDIA_TYPE } from "../jsonapi/errors.ts";
import { parameter } from "../jsonapi/schema.ts";
import { PLAIN_TEXT } from "../receiving/refusals.ts";
import type { RouteRecord } from "../route-table.ts";
import { completeDecisionSchema, completeV1Schema } from "../v1/openapi.ts";

/** A route's schema as this program writes it: the parts that validate, and what documents it. */
interface RouteSchema extends FastifySchema {
  produces?: string[];
  consumes?: string[];
  security?: Record<string, string[]>[];
  response?: Record<string, unknown>;
}

/** The whole schema of a route; a copy, since the generator takes examples out of what it is given. */
export function completeSchema(record: RouteRecord): FastifySchema {
  if (record.pattern.startsWith("/access/v1/")) return completeDecisionSchema(record);
  return record.pattern.startsWith("/v1/") ? completeV1Schema(record) : completeJsonApiSchema(record);
}

/** Adds what a family does for all its routes: media types, the token, and the refusals that need no word in a route. */
function completeJsonApiSchema(record: RouteRecord): FastifySchema {
  const schema = JSON.parse(JSON.stringify(record.schema ?? {})) as RouteSchema;
  const isJsonApi = record.pattern.startsWith("/api/v2/");
  const isWrite = record.method !== "GET";
  const { takes } = record.config;
  const common: ErrorStatus[] = [
    400,
    ...(record.public ? [] : ([401, 404] as const)),
    ...(isWrite ? ([415, 422] as const) : []),
    429,
    500,
    503,
  ];
  const added: RouteSchema = {
    produces: [isJsonApi ? MEDIA_TYPE : PLAIN_TEXT],
    ...(isWrite ? { consumes: [...(takes?.types ?? [MEDIA_TYPE])] } : {}),
    ...bodyOf(record),
    security: record.public ? [] : [{ bearer: [] }],
    ...schema,
    ...parametersOf(record),
    response: isJsonApi ? { ...errorResponses(...common), ...schema.response } : { ...schema.response },
  };
  if (record.config.document !== undefined) describeConditions(added);
  return JSON.parse(JSON.stringify(added)) as FastifySchema;
}

/** Path parameters: `organization_name` is the name of the organization. */
function parametersOf({ pattern }: RouteRecord): { params?: unknown } {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const described = names.map((name) => {
    const words = name.split("_");
    const what = words.pop() === "id" ? "ID" : "Name";
    return [name, Type.String({ description: `${what} of the ${words.join(" ")}.` })] as const;
  });
  return names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(described)) };
}

/** Body of the request. A write that has no input takes the empty object, which may be left out. */
function bodyOf({ method, schema, config: { takes } }: RouteRecord): { body?: unknown } {
  if (takes !== undefined) return { body: takes.described };
  return method === "GET" || schema?.body !== undefined ? {} : { body: NOTHING };
}

/** Its media type makes clients name it, as every write of the family has to. */
const NOTHING = Type.Object({}, { title: "Nothing", examples: [{}] });

/** Headers and responses that all reads of documents share; see `documents.ts`. */
function describeConditions(schema: RouteSchema): void {
  schema.headers = Type.Object({
    "if-none-match": parameter("ETags that the client has; 304 if the response matches one of them."),
    prefer: parameter("With if-none-match, `wait=60`: respond on a change, or after this number of seconds."),
  });
  const etag = { type: "string", description: "Digest of the response; absent on streamed lists." };
  schema.response = {
    ...schema.response,
    200: { ...(schema.response?.[200] as object), headers: { ETag: etag } },
    304: Type.Null({
      description: "Not modified, including during the wait.",
    }),
  };
}

/** What a route's schema says, and what its family does for all its routes: the schema that the document is made from. */
import type { FastifySchema } from "fastify";
import { Type } from "typebox";
import { errorResponses, type ErrorStatus, errorSchema, MEDIA_TYPE } from "../jsonapi-errors.ts";
import { parameter } from "../jsonapi-schema.ts";
import { PLAIN_TEXT, refusal, type RefusalStatus } from "../refusals.ts";
import type { RouteRecord } from "../route-table.ts";
import { completeV1Schema } from "../v1/openapi.ts";

/** A route's schema as this program writes it: the parts that validate, and what documents it. */
interface RouteSchema extends FastifySchema {
  produces?: string[];
  consumes?: string[];
  security?: Record<string, string[]>[];
  response?: Record<string, unknown>;
}

/** Answers of the server itself, also to what no operation takes, in the manner of the family where the request got so far that it is known. */
export const REFUSED_BEFORE = {
  ForeignOrigin: refusedBefore(
    403,
    "A browser says that a page of another origin sends the request, which is no GET, HEAD or OPTIONS.",
  ),
  BadTarget: refusedBefore(400, "The URL, the host in it or the Host header is malformed, or there are several."),
  UnknownPath: refusedBefore(404, "There is no such path."),
  UnknownMethod: refusedBefore(405, "The path does not answer this method; Allow names those that it does."),
  RequestTimeout: refusedBefore(408, "The request did not arrive in time: 10 s for its headers, 30 s for all of it."),
  PayloadTooLarge: refusedBefore(413, "The body is larger than 1 MiB, or a file than 64 MiB."),
  ExpectationFailed: refusedBefore(417, "The Expect header asks for something else than 100-continue."),
  MisdirectedRequest: refusedBefore(421, "The Host header names a host that this server does not answer for."),
  HeadersTooLarge: refusedBefore(431, "The headers, the URL among them, are larger than 16 KiB."),
};

function refusedBefore(status: RefusalStatus, description: string) {
  const example = refusal("/", status).body;
  const document = JSON.parse(refusal("/api/v2/", status).body) as object;
  return {
    description,
    content: {
      [PLAIN_TEXT]: { schema: { type: "string" as const }, example },
      [MEDIA_TYPE]: { schema: errorSchema, example: document },
    },
  };
}

/** The whole schema of a route; a copy, since the generator takes examples out of what it is given. */
export function completeSchema(record: RouteRecord): FastifySchema {
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
    ...(takes === undefined ? {} : { body: takes.described }),
    security: record.public ? [] : [{ bearer: [] }],
    ...schema,
    response: isJsonApi ? { ...errorResponses(...common), ...schema.response } : { ...schema.response },
  };
  if (record.config.document !== undefined) describeConditions(added);
  return JSON.parse(JSON.stringify(added)) as FastifySchema;
}

/** What reads of documents have in common; see `documents.ts`. */
function describeConditions(schema: RouteSchema): void {
  schema.headers = Type.Object({
    "if-none-match": parameter("ETags of what the client has: 304 while the answer is one of them."),
    prefer: parameter(
      "With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.",
    ),
  });
  const etag = { type: "string", description: "Digest of the answer; not on a list that is streamed." };
  schema.response = {
    ...schema.response,
    200: { ...(schema.response?.[200] as object), headers: { ETag: etag } },
    304: Type.Null({
      description: "The client has it already, and there was nothing else for as long as it would wait.",
    }),
  };
}

/** Schema of a route under `/v1`, for the OpenAPI document. */
import type { FastifySchema } from "fastify";
import { Type, type TSchema } from "typebox";
import type { MediaTypes } from "../jsonapi/operation.ts";

interface OperationOptions {
  operationId: string;
  /** Summary of the operation, without a period at the end. */
  summary: string;
  /** Further sentences of its description. */
  description?: string;
  tag: string;
  /** Path parameters with what they are. */
  params?: Record<string, string>;
  /** Query parameters of its own with what they do. */
  query?: Record<string, string>;
  /** Headers of the request with what they do. */
  headers?: Record<string, string>;
  /** Schema of the answer, with a description and examples, or its media types where there are several. */
  answer: TSchema | MediaTypes;
  /** Media type of the answer; JSON unless it says otherwise. */
  produces?: string;
}

/** The schema of a route: it documents, and validates nothing, since bodies are decoded by `config.body`. */
export function operation(options: OperationOptions): FastifySchema {
  const {
    operationId,
    summary,
    description,
    tag,
    params,
    query,
    headers,
    answer,
    produces = "application/json",
  } = options;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    produces: [produces],
    ...(params === undefined ? {} : { params: texts(params) }),
    ...(query === undefined ? {} : { querystring: texts(query) }),
    ...(headers === undefined ? {} : { headers: texts(headers) }),
    response: { 200: answer },
  };
}

/** The same route under another path, which the document leaves out. */
export function undocumented<Route extends { config: object }>(route: Route): Route {
  return { ...route, config: { ...route.config, undocumented: true } };
}

/** All optional: the rest of a path, which the document gives a name, has none when the route is asked. */
function texts(parameters: Record<string, string>): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries(parameters).map(([name, description]) => [name, Type.Optional(Type.String({ description }))]),
    ),
  );
}

/** The answer of a deletion. */
export const deleted = Type.Boolean({ description: "Deleted.", examples: [true] });

/** Parameters of every list that can be read by pages. */
export const PAGE_PARAMETERS = {
  "page-size":
    "Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.",
  limit:
    "Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, " +
    "X-Tessera-Total the number of all entries.",
  after: "X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.",
  search: "Only entries that contain this text, ignoring case.",
  sort: "With `limit`: member to sort by; prefix with - for descending order.",
  at: "With `limit`: first sort value of the page.",
};

/** The parameter of lists of objects that have a UUID. */
export const ID_PREFIX_PARAMETER = {
  "id-prefix": "With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.",
};

const PARTITION_PARAMETER = { partition: "Partition. Default: the partition of the token." };

/** Parameters that select the scope of a request, by the scope that the objects belong to. */
export const SCOPE_PARAMETERS: Readonly<Record<"namespace" | "partition" | "server", Record<string, string>>> = {
  namespace: { ns: "Namespace. Default: the namespace of the token.", ...PARTITION_PARAMETER },
  partition: PARTITION_PARAMETER,
  server: {},
};

/** Namespace parameter of lists. */
export const ANY_NAMESPACE_PARAMETER = {
  ns: "Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.",
};

/** Parameter that every write of an object has. */
export const CAS_PARAMETER = { cas: "Write only if the object has this ModifyIndex; else 409." };

/** An operation of `/api/v2` as its route declares it, and its schema in the document of the API. */
import type { FastifySchema } from "fastify";
import { Type, type TSchema } from "typebox";
import { errorResponses, type ErrorStatus } from "./errors.ts";
import { warningsDocument } from "./warnings.ts";

/** An answer in one of several media types. */
export interface MediaTypes {
  description: string;
  content: Readonly<Record<string, { schema: TSchema }>>;
}

export interface ApiOperation<Body extends TSchema, Handle> {
  operationId: string;
  /** Summary of the operation, without a period at the end. */
  summary: string;
  /** Further sentences of its description. */
  description?: string;
  query?: TSchema;
  body?: Body;
  /** The answer, with a description and an example; of an operation that answers nothing, what that means. */
  answer: TSchema | string | MediaTypes;
  /** Statuses of refusals beside those of the family. */
  refusals?: readonly ErrorStatus[];
  /** See `FastifyContextConfig`. */
  outsideShares?: "management";
  /**
   * Whether an operation without an answer may return warnings: a `warned` document from `handle` becomes the answer.
   */
  warns?: boolean;
  handle: Handle;
}

/** @param statuses of success, and of refusals that follow from what kind of operation it is */
export function schemaOf<Body extends TSchema>(
  tag: string,
  url: string,
  [status, ...ofKind]: [number, ...ErrorStatus[]],
  {
    operationId,
    summary,
    description,
    query,
    body,
    answer,
    refusals = [],
    warns,
  }: Omit<ApiOperation<Body, unknown>, "handle">,
): FastifySchema {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(names.map(pathParameter))) }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    response: {
      [status]: typeof answer === "string" ? Type.Null({ description: answer }) : answer,
      ...(warns === true && { 200: warningsDocument }),
      ...errorResponses(...ofKind, ...refusals),
    },
  };
}

/** `organization_name` is the name of the organization. */
function pathParameter(name: string): [string, TSchema] {
  const words = name.split("_");
  const what = words.pop() === "id" ? "ID" : "Name";
  return [name, Type.String({ description: `${what} of the ${words.join(" ")}.` })];
}

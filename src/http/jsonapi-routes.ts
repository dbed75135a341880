/**
 * How features say what they answer under `/api/v2`: an operation is what it is called, what it takes and what it
 * answers. Its status, the parameters of its path and the links of its pages follow.
 */
import type { FastifyInstance, FastifyRequest, FastifySchema, RouteOptions } from "fastify";
import { Type, type Static, type TSchema } from "typebox";
import type { ApiRoutes } from "./jsonapi.ts";
import { errorResponses, type ErrorStatus } from "./jsonapi-errors.ts";
import { pageDocument, readPage, type FoundPage, type Page } from "./pagination.ts";
import type { Query } from "./query.ts";

interface Operation<Body extends TSchema, Handle> {
  operationId: string;
  /** What it does, without a full stop. */
  summary: string;
  query?: TSchema;
  body?: Body;
  /** The answer, with a description and an example; of an operation that answers nothing, what that means. */
  answer: TSchema | string;
  /** Statuses of refusals beside those of the family. */
  refusals?: readonly ErrorStatus[];
  handle: Handle;
}

/** Names of the parameters of a path. */
type NamesIn<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never;

type Request<Url extends string, Body extends TSchema> = FastifyRequest<{
  Params: Record<NamesIn<Url>, string>;
  Querystring: Query;
  Body: Static<Body>;
}>;

/** The routes of a feature. @param tag heading of its operations in the OpenAPI document */
export function apiRoutes(tag: string, register: (on: Registrar) => void): ApiRoutes {
  return (app, _options, done) => {
    register(createRegistrar(app, tag));
    done();
  };
}

export type Registrar = ReturnType<typeof createRegistrar>;

function createRegistrar(app: FastifyInstance, tag: string) {
  function answers(method: RouteOptions["method"], status: 200 | 201 | 204, config: RouteOptions["config"] = {}) {
    return function register<Url extends string, Body extends TSchema>(
      url: Url,
      operation: Operation<Body, (request: Request<Url, Body>) => unknown>,
    ): void {
      app.route({
        method,
        url,
        config,
        schema: schemaOf(tag, url, status, operation),
        async handler(request, reply) {
          const document = await operation.handle(request as Request<Url, Body>);
          void reply.code(status);
          return status === 204 ? null : document;
        },
      });
    };
  }
  const read = answers("GET", 200, { document: "kept" });
  return {
    /** A document that follows from what is stored of one organization, from the URL and from what the caller may do. */
    read,
    /** A document that nobody else is given, or a stream of one. */
    readOwn: answers("GET", 200, { document: "own" }),
    create: answers("POST", 201),
    patch: answers("PATCH", 200),
    put: answers("PUT", 200),
    /** A POST that changes a resource and answers it. */
    act: answers("POST", 200),
    /** A POST that answers nothing. */
    post: answers("POST", 204),
    delete: answers("DELETE", 204),
    /** A page of a list of such. */
    list<Url extends string, Body extends TSchema>(
      url: Url,
      operation: Operation<Body, (request: Request<Url, Body>, page: Page) => Promise<FoundPage>>,
    ): void {
      read(url, {
        ...operation,
        async handle(request: Request<Url, Body>) {
          const page = readPage(request.query);
          return pageDocument(request, page, await operation.handle(request, page));
        },
      });
    },
  };
}

function schemaOf<Body extends TSchema>(
  tag: string,
  url: string,
  status: number,
  { operationId, summary, query, body, answer, refusals = [] }: Omit<Operation<Body, unknown>, "handle">,
): FastifySchema {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return {
    operationId,
    summary,
    tags: [tag],
    ...(names.length === 0
      ? {}
      : { params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    response: {
      [status]: typeof answer === "string" ? Type.Null({ description: answer }) : answer,
      ...errorResponses(...refusals),
    },
  };
}

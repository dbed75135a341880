import type { FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { NO_TOKEN } from "../refused.ts";
import type { QueryParameters } from "../http/query.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../http/v1/operation.ts";
import { isMembers, readBody } from "./read-body.ts";
import { readBatch, readEvaluation, readSearch, type Searched } from "./request.ts";
import { decisionAnswer, decisionsAnswer, evaluationBody, evaluationsBody, SEARCHES } from "./schema.ts";
import { search } from "./search.ts";
import { evaluate, evaluateAll, type Asked, type Decided, type DecisionPoint } from "./service.ts";

const QUERY = { ...SCOPE_PARAMETERS.namespace, explain: "true: decisions come with their reason; requires acl:read." };

/** The routes of the decision point, registered under `/access/v1`. */
export function decisionRoutes(point: DecisionPoint): V1Routes {
  const decideOne = (request: FastifyRequest) =>
    evaluate(request.ctx, point, askedBy(request), readEvaluation(bodyOf(request)));
  const decideAll = (request: FastifyRequest): Decided<object> => {
    const body = bodyOf(request);
    const batch = readBatch(body);
    const asked = askedBy(request);
    if (batch === undefined) return evaluate(request.ctx, point, asked, readEvaluation(body));
    const decided = evaluateAll(request.ctx, point, asked, batch);
    return typeof decided === "function" ? async () => ({ evaluations: await decided() }) : { evaluations: decided };
  };
  return (app, _options, done) => {
    app.post(
      "/evaluation",
      {
        config: { body: { schema: evaluationBody, prefix: "", read: readBody }, question: true, inTurn: decideOne },
        schema: operation({
          operationId: "evaluateAccess",
          summary: "Evaluate access",
          tag: "Decision point",
          query: QUERY,
          answer: decisionAnswer,
        }),
      },
      (request) => made(decideOne(request)),
    );
    app.post(
      "/evaluations",
      {
        config: { body: { schema: evaluationsBody, prefix: "", read: readBody }, question: true, inTurn: decideAll },
        schema: operation({
          operationId: "evaluateAccessInBatch",
          summary: "Evaluate access in a batch",
          tag: "Decision point",
          query: QUERY,
          answer: decisionsAnswer,
        }),
      },
      (request) => made(decideAll(request)),
    );
    for (const searched of ["subject", "resource", "action"] as const) addSearch(app, point, searched);
    done();
  };
}

function addSearch(app: Parameters<V1Routes>[0], point: DecisionPoint, searched: Searched): void {
  const { body, answer, operationId } = SEARCHES[searched];
  app.post(
    `/search/${searched}`,
    {
      config: { body: { schema: body, prefix: "", read: readBody }, question: true },
      schema: operation({
        operationId,
        summary: `Search for ${searched}s`,
        tag: "Decision point",
        query: SCOPE_PARAMETERS.namespace,
        answer,
      }),
    },
    (request) => {
      const asked = readSearch(bodyOf(request), searched);
      return search(request.ctx, point, askedBy(request).scope, searched, asked);
    },
  );
}

function made<T extends object>(decided: Decided<T>): T | Promise<T> {
  return typeof decided === "function" ? decided() : decided;
}

/** @throws AppError `unauthenticated` without a token */
function askedBy({ ctx, scope, query }: FastifyRequest): Asked {
  if (ctx.actor.anonymous) throw new AppError("unauthenticated", "A token is required", { refused: NO_TOKEN });
  return { scope, explains: (query as QueryParameters)["explain"] === "true" };
}

function bodyOf({ body }: FastifyRequest) {
  return isMembers(body) ? body : {};
}

import type { FastifySchema } from "fastify";
import type { RouteRecord } from "../route-table.ts";
import { JSON_TYPE, TEXT_TYPE } from "./render.ts";

/** Stands for 500 where clients know a refusal by it as well; no status. */
const TAKEN = 0;

/** Error responses that any request can get, each in the words of one example. */
const REFUSALS: Readonly<Record<number, readonly [description: string, example: string]>> = {
  400: ["The request cannot be taken.", "Invalid wait time"],
  401: ["The request presents no token.", "Supplied token does not exist"],
  403: [
    "The token is unknown or may not do this.",
    "Permission denied: token with AccessorID 'x' lacks permission 'acl:write'",
  ],
  404: ["There is no such object.", "Requested policy does not exist: ACL not found"],
  409: ["The object has changed since it was read.", "The object has changed: its ModifyIndex is 7 and not 5"],
  410: [
    "What the client missed is not kept any more.",
    "Events after 17 are not kept any more; read the lists again and begin anew",
  ],
  429: [
    "Too many requests of this caller wait, or were refused; come back as Retry-After says.",
    "Too many blocking queries and event streams of one token",
  ],
  500: ["A fault of the server.", "internal server error"],
  [TAKEN]: [
    "A fault of the server. Of a write of a policy or role also, to who presents the token by `X-Consul-Token` or `?token=`, that its name is taken, which " +
      'Consul\'s clients take from this status and these words alone: `Invalid Policy: A Policy with Name "web" already exists`.',
    "internal server error",
  ],
  503: ["Storage does not answer.", "Storage does not answer, try again later"],
};

/** Parameters of every read that has an index. */
const READ_PARAMETERS: Readonly<Record<string, string>> = {
  index: "Wait until the index of the answer is greater; X-Service-Index of the answer before.",
  wait: "How long to wait at most, such as 5m.",
  stale: "A replica may answer; without it, and with `consistent`, the primary does.",
  consistent: "Rights count as they are now, whichever server changed them; without it they may be a second old.",
  max_stale: "A replica that is not further behind than this may answer, such as 10s.",
};

/** Adds what the family does for all its routes: the token, the body that is decoded, and the refusals. */
export function completeV1Schema(record: RouteRecord): FastifySchema {
  const { body, read } = record.config;
  const statuses = [400, 403, 404, 429, 500, 503];
  if (record.method === "PUT" || record.method === "PATCH" || record.method === "DELETE") statuses.push(409);
  statuses.push(...(record.config.refusals ?? []));
  const schema = (record.schema ?? {}) as Record<string, unknown>;
  const added = {
    security: record.public ? [] : [{ bearer: [] }],
    ...schema,
    ...(read === true ? { querystring: withReadParameters(schema["querystring"]) } : {}),
    ...(body === undefined ? {} : { body: body.schema, consumes: ["application/json"] }),
    response: { ...refusals(statuses), ...(schema["response"] as object | undefined) },
  };
  // A copy: the generator takes examples out of what it is given.
  return JSON.parse(JSON.stringify(added)) as FastifySchema;
}

/** Statuses of the decision point, whose errors are `{"error": "…"}`. */
const OF_DECISIONS: Readonly<Record<number, readonly [description: string, example: string]>> = {
  400: ["Invalid request.", "Invalid subject: expected an object with type and id"],
  401: ["Token missing, unknown or expired.", "The token is missing, unknown or expired"],
  403: [
    "Token without permission to ask about others.",
    "Permission denied: token with AccessorID 'x' lacks permission 'acl:read'",
  ],
  429: ["Too many requests.", "Too many questions about rights are being answered"],
  500: ["Internal error.", "internal server error"],
  503: ["Storage unavailable.", "Storage does not answer, try again later"],
};

/** Completes the schema of a route of the decision point. */
export function completeDecisionSchema(record: RouteRecord): FastifySchema {
  const { body } = record.config;
  const schema = (record.schema ?? {}) as Record<string, unknown>;
  const refused = Object.entries(OF_DECISIONS).map(([status, [description, error]]) => {
    const example = { error };
    const shown = {
      title: "DecisionError",
      type: "object",
      properties: { error: { type: "string" } },
      required: ["error"],
      examples: [example],
    };
    return [status, { description, content: { [JSON_TYPE]: { schema: shown } } }];
  });
  const added = {
    security: [{ bearer: [] }],
    ...schema,
    ...(body === undefined ? {} : { body: body.schema, consumes: [JSON_TYPE] }),
    response: { ...(Object.fromEntries(refused) as object), ...(schema["response"] as object | undefined) },
  };
  return JSON.parse(JSON.stringify(added)) as FastifySchema;
}

function withReadParameters(querystring: unknown): object {
  const own = (querystring as { properties?: object } | undefined)?.properties;
  const added = Object.entries(READ_PARAMETERS).map(([name, description]) => [name, { type: "string", description }]);
  return { type: "object", properties: { ...own, ...(Object.fromEntries(added) as object) } };
}

function refusals(statuses: readonly number[]): Record<number, unknown> {
  return Object.fromEntries(
    statuses.map((status) => {
      const isWrite = status === 500 && statuses.includes(409);
      const [description = "", example = ""] = REFUSALS[isWrite ? TAKEN : status] ?? [];
      const schema = { type: "string", examples: [example] };
      return [status, { description, content: { [TEXT_TYPE]: { schema } } }];
    }),
  );
}

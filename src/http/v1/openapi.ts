import type { FastifySchema } from "fastify";
import type { RouteRecord } from "../route-table.ts";
import { JSON_TYPE, TEXT_TYPE } from "./render.ts";

/** Stands for 500 where clients know a refusal by it as well; no status. */
const TAKEN = 0;

/** Error responses that any request can get, each in the words of one example. */
const REFUSALS: Readonly<Record<number, readonly [description: string, example: string]>> = {
  400: ["Invalid request.", "Invalid wait time"],
  401: ["The request has no token.", "Supplied token does not exist"],
  403: [
    "Unknown token, or permission denied.",
    "Permission denied: token with AccessorID 'x' lacks permission 'acl:write'",
  ],
  404: ["Object not found.", "Requested policy does not exist: ACL not found"],
  409: [
    "Conflict: the object has changed since it was read.",
    "Conflict: ModifyIndex is 7, but the request has cas=5. Read the object again",
  ],
  410: ["The missed events have expired.", "Events after 17 have expired. Read the lists again and restart the stream"],
  422: [
    "The audit records do not reach back to the requested time.",
    "No audit records of this time. The earliest audit record is from 2026-11-24T12:00:00.000Z",
  ],
  429: [
    "Too many open or denied requests of this client; retry after the time in Retry-After.",
    "Too many blocking queries and event streams of one token",
  ],
  500: ["Internal error.", "internal server error"],
  [TAKEN]: [
    "Internal error. Also, for writes of policies and roles with a token in `X-Consul-Token` or `?token=`: the name exists " +
      'already. Consul\'s clients detect this by the status and the text `Invalid Policy: A Policy with Name "web" already exists`.',
    "internal server error",
  ],
  503: ["Storage does not respond.", "Storage does not respond; retry later"],
};

/** Parameters of every read that has an index. */
const READ_PARAMETERS: Readonly<Record<string, string>> = {
  index: "Blocking query: wait until the index is greater than this X-Service-Index.",
  wait: "Maximum wait, such as 5m.",
  stale: "Allow a replica to answer. Without it, and with `consistent`, the primary answers.",
  consistent: "Use the current permissions. Without it, permissions can be up to one second old.",
  max_stale: "Maximum replication lag of a replica that answers, such as 10s.",
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
  429: ["Too many requests.", "Too many access checks are in progress"],
  500: ["Internal error.", "internal server error"],
  503: ["Storage unavailable.", "Storage does not respond; retry later"],
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

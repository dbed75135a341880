/** Body and scope of a request: a scope in the body overrides those of query and headers. */
import type { FastifyContextConfig } from "fastify";
import type { Scope } from "../../rights/scope.ts";
import { decode } from "./body.ts";
import { type AskedScope, choosePartition, chooseScope, type Edition, SCOPE_MEMBERS, scopeInBody } from "./scope.ts";

const EMPTY = Buffer.alloc(0);

export interface RequestContent {
  /** Decoded; undefined on routes that take none. */
  body: object | undefined;
  scope: Scope;
}

/**
 * Decodes the body of a route that takes one, and settles the scope.
 *
 * @param bytes the body as it came @param around the scope that query and headers name @param own where the caller's token lies
 * @throws AppError `invalid`, `bad_parameter`
 */
export function readAsked(
  config: FastifyContextConfig,
  bytes: unknown,
  { around, own }: { around: AskedScope; own: Scope },
  edition: Edition,
): RequestContent {
  const asked = [around];
  const body = bodyOf(config, Buffer.isBuffer(bytes) ? bytes : EMPTY, edition);
  if (body !== undefined && config.body?.read === undefined && edition === "enterprise")
    asked.unshift(scopeInBody(body));
  const isAny = config.anyNamespace === true;
  // Invalid names are refused also where the scope is that of the caller.
  const chosen = config.ofPartition === true ? choosePartition(asked, own) : chooseScope(asked, own, isAny);
  return { body, scope: config.ofCaller === true ? own : chosen };
}

function bodyOf(config: FastifyContextConfig, bytes: Buffer, edition: Edition): object | undefined {
  if (config.body === undefined) return undefined;
  if (config.body.read !== undefined) return config.body.read(bytes);
  return decode(bytes, edition === "community" ? { ...config.body, unknown: SCOPE_MEMBERS } : config.body);
}

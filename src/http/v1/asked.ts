/** Body and scope of a request: a scope in the body overrides those of query and headers. */
import type { FastifyContextConfig } from "fastify";
import type { Scope } from "../../rights/scope.ts";
import { atOnce } from "../../turns.ts";
import { type BodyConfig, decode, decodeInSteps } from "./body.ts";
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
  const body = config.body && bodyOf(config.body, Buffer.isBuffer(bytes) ? bytes : EMPTY, edition);
  return settle(config, body, { around, own }, edition);
}

/** Does the same with a body that is long, in steps. @throws AppError `invalid`, `bad_parameter` */
export function* readAskedInSteps(
  config: FastifyContextConfig,
  bytes: Buffer,
  scopes: { around: AskedScope; own: Scope },
  edition: Edition,
): Generator<void, RequestContent> {
  const body = config.body && (yield* bodyInSteps(config.body, bytes, edition));
  return settle(config, body, scopes, edition);
}

function settle(
  config: FastifyContextConfig,
  body: object | undefined,
  { around, own }: { around: AskedScope; own: Scope },
  edition: Edition,
): RequestContent {
  const asked = [around];
  if (body !== undefined && config.body?.read === undefined && edition === "enterprise")
    asked.unshift(scopeInBody(body));
  const isAny = config.anyNamespace === true;
  // Invalid names are refused also where the scope is that of the caller.
  const chosen = config.ofPartition === true ? choosePartition(asked, own) : chooseScope(asked, own, isAny);
  return { body, scope: config.ofCaller === true ? own : chosen };
}

function bodyOf(config: BodyConfig, bytes: Buffer, edition: Edition): object {
  return config.read === undefined ? decode(bytes, inEdition(config, edition)) : atOnce(config.read(bytes));
}

function bodyInSteps(config: BodyConfig, bytes: Buffer, edition: Edition): Generator<void, object> {
  return config.read === undefined ? decodeInSteps(bytes, inEdition(config, edition)) : config.read(bytes);
}

function inEdition(config: BodyConfig, edition: Edition): BodyConfig {
  return edition === "community" ? { ...config, unknown: SCOPE_MEMBERS } : config;
}

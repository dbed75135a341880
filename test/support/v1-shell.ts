/** The HTTP shell with the conventions of `/v1` and routes that a test brings along, on a real database. */
import { createRefusals } from "../../src/records/refusals/refusals.ts";
import { addRefusals } from "../../src/http/receiving/refused.ts";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import type { Actor } from "../../src/rights/actor.ts";
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import { DEFAULT_SCOPE } from "../../src/rights/scope.ts";
import { parseRules } from "../../src/rights/rules/parse.ts";
import { addReadServices } from "../../src/http/reads/services.ts";
import { createServer } from "../../src/http/server.ts";
import { type ConsulApiOptions, registerConsulApi, type V1Routes } from "../../src/http/v1/consul-api.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { makeDatabaseUrl, temporaryDirectory } from "./engines.ts";

/** SecretID of a token that may read the agent, and no more. */
export const AGENT_READER = "8a4d7a0b-3ee6-45c1-a1c2-51ed7a2ec8a1";

interface V1ShellOptions extends Partial<
  Pick<ConsulApiOptions, "edition" | "defaultPolicy" | "datacenter" | "isBootstrapped">
> {
  routes: readonly V1Routes[];
  /** Puts something between the application and storage. */
  wrap?: (db: Database) => Database;
}

export interface V1Shell {
  app: FastifyInstance;
  /** Lines of the log, parsed. */
  lines: Record<string, unknown>[];
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  put(url: string, body: string | Buffer, headers?: Record<string, string>): Promise<Answer>;
  send(options: InjectOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** Status, text and headers of an answer. */
export interface Answer {
  status: number;
  text: string;
  headers: Record<string, unknown>;
  /** The body as bytes. */
  bytes: Buffer;
}

export async function openV1Shell(options: V1ShellOptions): Promise<V1Shell> {
  const fail = (error: Error) => {
    throw error;
  };
  const url = await makeDatabaseUrl("sqlite");
  const real = await openDatabase({ url, dataDir: temporaryDirectory(), onFatal: fail, onWarning: () => {} });
  const db = options.wrap === undefined ? real : options.wrap(real);
  const written: string[] = [];
  const log = pino({ level: "info", base: null }, { write: (line: string) => void written.push(line) });
  const config = {
    listen: { host: "127.0.0.1", port: 0 },
    publicUrl: undefined,
    trustedProxies: [],
    allowedHosts: [],
    accessLog: true,
  };
  const { app, routes, metrics } = createServer({ config, db, log });
  const actors = new Map([
    ["anonymous", actor("00000000-0000-0000-0000-000000000002", true, "")],
    [AGENT_READER, actor("1f2a6f5e-8d0c-4a53-9e4b-0c1d7f1f3a02", false, 'agent_prefix "" { policy = "read" }')],
  ]);
  addRefusals(app, createRefusals({ db, now: db.now, log }), metrics);
  addReadServices(app, db, { perToken: 100, perAddress: 100 }, metrics, () => Promise.resolve(undefined));
  registerConsulApi(app, {
    db,
    now: () => 1234,
    routes,
    apiRoutes: options.routes,
    actorForToken: (secret) => Promise.resolve(actors.get(secret)),
    isBootstrapped: options.isBootstrapped ?? (() => Promise.resolve(true)),
    datacenter: options.datacenter ?? "dc1",
    edition: options.edition ?? "enterprise",
    defaultPolicy: options.defaultPolicy ?? "deny",
  });
  await app.ready();
  const send = async (request: InjectOptions): Promise<Answer> => {
    const response = await app.inject({ ...request, headers: { host: "localhost", ...request.headers } });
    const { statusCode, payload, headers, rawPayload } = response;
    return { status: statusCode, text: payload, headers, bytes: rawPayload };
  };
  return {
    app,
    get lines() {
      return written.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    get: (path, headers = {}) => send({ method: "GET", url: path, headers }),
    put: (path, payload, headers = {}) => send({ method: "PUT", url: path, headers, payload }),
    send,
    async close() {
      await app.close();
      await real.close();
    },
  };
}

function actor(accessorId: string, anonymous: boolean, rules: string): Actor {
  const policies = [{ id: accessorId, name: "test", rules: parseRules(rules), home: DEFAULT_SCOPE, links: [] }];
  return {
    accessorId,
    anonymous,
    rights: compileAuthorizer({ direct: policies, defaults: [], defaultPolicy: "deny" }),
    rightsKey: accessorId,
    scope: DEFAULT_SCOPE,
    expiresAt: undefined,
    login: undefined,
    restsOn: [],
  };
}

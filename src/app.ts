/**
 * Composition root: the HTTP shell, what stands outside the families, and the
 * `/api/v2` family with the routes of every feature.
 */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { pino } from "pino";
import { accountRoutes } from "./account/routes.ts";
import type { Config } from "./config.ts";
import { pingRoutes, registerDiscovery } from "./http/discovery.ts";
import { registerHealth } from "./http/health.ts";
import { registerJsonApi, type ActorForToken, type ApiRoutes } from "./http/jsonapi.ts";
import { registerOpenApi } from "./http/openapi.ts";
import { createServer } from "./http/server.ts";
import { organizationRoutes } from "./organizations/routes.ts";
import { projectRoutes } from "./projects/routes.ts";
import type { Database } from "./storage/database.ts";
import { tagRoutes } from "./tags/routes.ts";
import { workspaceTagRoutes } from "./workspace-tags/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Every feature that has routes under `/api/v2` is listed here, and only here. */
const API_ROUTES: readonly ApiRoutes[] = [
  pingRoutes,
  accountRoutes,
  organizationRoutes,
  projectRoutes,
  tagRoutes,
  workspaceRoutes,
  workspaceTagRoutes,
];

export interface AppOptions {
  config: Pick<Config, "listen" | "publicUrl" | "trustedProxies" | "allowedHosts" | "accessLog">;
  db: Database;
  /** Finds who a SecretID belongs to. */
  actorForToken: ActorForToken;
  /** Milliseconds since the epoch; the wall clock unless a test sets it. */
  now?: () => number;
  /** Silent unless given. */
  logger?: Logger;
  /** PEM; without it the server speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Further routes under `/api/v2`, for tests. */
  extraRoutes?: readonly ApiRoutes[];
}

/** Builds the server with all its routes; nothing listens yet. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { config, db, actorForToken, now = Date.now, logger = pino({ level: "silent" }), tls } = options;
  const { app, routes, metrics } = createServer({ config, db, log: logger, tls });
  registerHealth(app, db, metrics);
  registerDiscovery(app);
  registerOpenApi(app, routes);
  const apiRoutes = [...API_ROUTES, ...(options.extraRoutes ?? [])];
  registerJsonApi(app, { db, actorForToken, now, routes, apiRoutes });
  return app;
}

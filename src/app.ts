/**
 * Composition root: the HTTP shell, what stands outside the families, and both
 * families with the routes of every feature.
 */
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import { type Logger, pino } from "pino";
import { accountRoutes } from "./account/routes.ts";
import { ownersOf } from "./acl/declarations/owners.ts";
import { createLoginServices } from "./acl/login/services.ts";
import { measureLogins } from "./acl/login/metrics.ts";
import { measureDeletion } from "./acl/deletion/metrics.ts";
import type { DeletionProgress } from "./acl/deletion/removal.ts";
import { scopeRenderer } from "./rights/scope.ts";
import type { SessionActivity } from "./acl/sessions/activity.ts";
import { wasBootstrapped } from "./acl/tokens/bootstrap.ts";
import { measureAges } from "./acl/tokens/ages.ts";
import { createTokenResolver, type AccessOptions } from "./acl/tokens/resolve.ts";
import { createRefusals } from "./records/refusals/refusals.ts";
import type { TokenUses } from "./acl/tokens/uses.ts";
import { type BackupProgress, measureBackups } from "./backup/schedule/scheduled.ts";
import { organizationAuditRoutes } from "./audit/routes.ts";
import { measureAuditOutput, type AuditOutputProgress } from "./audit/output.ts";
import { changeRoutes } from "./tags/changes/routes.ts";
import type { Config } from "./config.ts";
import { registerConsole } from "./console/console.ts";
import type { Console } from "./console/start.ts";
import { DECISION_POINT } from "./authzen/family.ts";
import { registerDecisionMetadata } from "./authzen/metadata.ts";
import { createMappings } from "./authzen/mappings.ts";
import { decisionRoutes } from "./authzen/routes.ts";
import { createSubjects } from "./authzen/subjects.ts";
import { createQuestionLane } from "./rights/question-lane.ts";
import { pingRoutes, registerDiscovery } from "./http/jsonapi/discovery.ts";
import { registerDocs } from "./http/docs/routes.ts";
import { registerHealth } from "./http/metrics/health.ts";
import { registerJsonApi, type ActorForToken, type ApiRoutes } from "./http/jsonapi/jsonapi.ts";
import { countRequests } from "./http/receiving/rate-limits.ts";
import { registerOpenApi } from "./http/openapi/routes.ts";
import { addRefusals } from "./http/receiving/refused.ts";
import { defaultConnections } from "./http/receiving/limits.ts";
import { addReadServices } from "./http/reads/services.ts";
import { createServer } from "./http/server.ts";
import { registerConsulApi, type V1Routes } from "./http/v1/consul-api.ts";
import { createRateLimits } from "./limits/rate-limits.ts";
import { createContentStates, readGuarded } from "./storage/feed/content-states.ts";
import { organizationNameOf } from "./organizations/store.ts";
import { organizationRoutes } from "./organizations/routes.ts";
import { projectRoutes } from "./projects/routes.ts";
import { workspaceMoveRoutes } from "./workspaces/move-routes.ts";
import { reservedTagKeyRoutes } from "./tags/rules/reserved-keys/routes.ts";
import { stateConsumerRoutes } from "./state-consumers/routes.ts";
import type { Database } from "./storage/database.ts";
import type { MetricRegistry } from "./metrics.ts";
import { measureKeys } from "./storage/keys/metrics.ts";
import type { KeyState } from "./storage/keys/watch.ts";
import type { NodeNotes } from "./storage/feed/nodes.ts";
import { tagImportRoutes } from "./tags/jobs/imports/routes.ts";
import { tagFileRoutes } from "./tags/files/routes.ts";
import { alikeTagRoutes } from "./tags/pool/alike/routes.ts";
import { tagJobForms, tagJobRoutes } from "./tags/jobs/routes.ts";
import { tagRoutes } from "./tags/pool/routes.ts";
import { tagPolicyRoutes } from "./tags/rules/routes.ts";
import { tagBindingRoutes } from "./tags/holders/bindings/routes.ts";
import { tagWebhookRoutes } from "./tags/changes/hooks/routes.ts";
import { createTargets } from "./outbound/targets.ts";
import { measureDeliveries, type DeliveryProgress } from "./tags/changes/hooks/worker.ts";
import { measureUses } from "./use/metrics.ts";
import type { UseMemory } from "./records/uses/memory.ts";
import { tagWorkspaceRoutes, workspaceTagRoutes } from "./tags/holders/workspace-tags/routes.ts";
import type { Tracing } from "./tracing/tracing.ts";
import { v1Routes } from "./v1-routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Every feature that has routes under `/api/v2` is listed here, and only here. */
const API_ROUTES: readonly ApiRoutes[] = [
  pingRoutes,
  accountRoutes,
  organizationRoutes,
  projectRoutes,
  workspaceMoveRoutes,
  tagRoutes,
  alikeTagRoutes,
  workspaceRoutes,
  workspaceTagRoutes,
  tagWorkspaceRoutes,
  tagBindingRoutes,
  tagFileRoutes,
  tagImportRoutes,
  reservedTagKeyRoutes,
  stateConsumerRoutes,
  changeRoutes,
  tagJobRoutes,
  tagJobForms,
  tagPolicyRoutes,
  organizationAuditRoutes,
];

export interface AppOptions {
  config: Pick<Config, "listen" | "publicUrl" | "trustedProxies" | "allowedHosts" | "accessLog"> &
    Partial<AccessConfig>;
  db: Database;
  /** Finds who a SecretID belongs to; by the stored tokens unless a test says otherwise. */
  actorForToken?: ActorForToken;
  /** Milliseconds since the epoch; the wall clock unless a test sets it. */
  now?: () => number;
  /** Silent unless given. */
  logger?: Logger;
  /** PEM; without it the server speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Data directory. It keeps the denials that cannot be recorded at the end. */
  refusalsDirectory?: string | undefined;
  /** For how long those of one question are one record, in milliseconds; a minute unless a test says otherwise. */
  refusalWindowMs?: number | undefined;
  /** Told which tokens are used. */
  uses?: Pick<TokenUses, "note">;
  /** Counts which permissions are used; undefined where no use ledger is kept. */
  useMemory?: UseMemory | undefined;
  /** Told which sessions of the console are used. */
  activity?: Pick<SessionActivity, "note">;
  /** How far the deletion of namespaces is, for the metrics. */
  deletion?: () => DeletionProgress;
  /** How signed heads and sinks of audit records are, for the metrics. */
  auditOutput?: AuditOutputProgress;
  /** How the deliveries of webhooks are, for the metrics. */
  deliveries?: () => DeliveryProgress;
  /** How it stands with the keys, for the metrics. */
  keys?: () => KeyState;
  /** How it is with backups that the server makes by itself, for the metrics. */
  backups?: (() => BackupProgress | undefined) | undefined;
  /** The other servers of the database. */
  otherNodes?: NodeNotes["others"] | undefined;
  /** The console that is served. */
  console?: Console | undefined;
  /** Makes spans of requests. */
  tracing?: Tracing | undefined;
  /** Further routes under `/api/v2`, for tests. */
  extraRoutes?: readonly ApiRoutes[];
  /** The same under `/v1`. */
  extraV1Routes?: readonly V1Routes[];
}

/** Parts of the configuration that access control needs. */
type AccessConfig = Pick<
  Config,
  | "datacenter"
  | "defaultPolicy"
  | "ownTokenWords"
  | "edition"
  | "bootstrap"
  | "bootstrapSecret"
  | "metricsOpen"
  | "waitsPerToken"
  | "waitsPerAddress"
  | "rateLimit"
  | "rateLimitPerAddress"
  | "rateLimitExempt"
  | "maxConnections"
  | "maxSending"
  | "loginFailureLimit"
  | "loginLimitPerIdentity"
  | "loginLimitPerMethod"
  | "loginTokensPerIdentity"
  | "defaultLoginTtl"
  | "outboundAllow"
  | "nameServers"
  | "console"
  | "consoleMethods"
  | "impactReason"
  | "initialManagementToken"
>;

/** Builds the server with all its routes; nothing listens yet. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { config, db, now = options.db.now, logger = pino({ level: "silent" }), tls } = options;
  const { datacenter = "dc1", defaultPolicy = "deny", edition = "enterprise" } = config;
  const { waitsPerToken = 16_384, waitsPerAddress = 256 } = config;
  const { backups, otherNodes } = options;
  const access: AccessOptions = { nodeName: hostname(), datacenter, defaultPolicy, edition };
  // Times in assertions of identity providers refer to real time, to which the clock of this machine is synchronized.
  const services = createLoginServices(db, options.now ?? Date.now, logger, { ...config, datacenter });
  const actorForToken = options.actorForToken ?? createTokenResolver(db, access, now, options.uses);
  const { app, routes, metrics } = createServer({ config, db, log: logger, tls, tracing: options.tracing });
  const { refusalsDirectory: directory, refusalWindowMs: windowMs } = options;
  addRefusals(app, createRefusals({ db, now, log: logger, directory, windowMs }), metrics);
  countRequests(app, requestLimits(config), metrics);
  registerHealth(app, db, metrics, config.metricsOpen === true ? undefined : actorForToken);
  measureAges(metrics, db, now);
  if (options.deletion !== undefined) measureDeletion(metrics, options.deletion);
  registerDiscovery(app);
  registerDecisionMetadata(app);
  registerOpenApi(app, routes);
  registerDocs(app);
  const bySession = registerConsole(app, options, {
    db,
    now,
    access,
    services,
    actorForToken,
    isTls: tls !== undefined,
    renderScope: scopeRenderer(edition),
  });
  measureWork(metrics, options);
  const apiRoutes = [...API_ROUTES, tagWebhookRoutes(createTargets(config)), ...(options.extraRoutes ?? [])];
  const all = config.maxConnections ?? defaultConnections();
  const owners = ownersOf(db);
  app.decorate("useMemory", options.useMemory);
  if (options.useMemory !== undefined) measureUses(metrics, options.useMemory);
  app.decorate("owners", { near: (partition) => owners.near(partition, organizationNameOf) });
  addReadServices(app, db, { perToken: waitsPerToken, perAddress: waitsPerAddress, all }, metrics, readGuarded);
  registerJsonApi(app, { db, actorForToken, bySession, now, routes, apiRoutes, states: createContentStates(db) });
  const lane = createQuestionLane();
  const { ownTokenWords } = config;
  const isBootstrapped = () => wasBootstrapped(db);
  const callers = { actorForToken, bySession, isBootstrapped, ownTokenWords };
  const family = { ...callers, db, now, routes, datacenter, edition, defaultPolicy };
  registerConsulApi(app, {
    ...family,
    apiRoutes: [
      ...v1Routes(access, { db, now, edition, config, services, lane, backups, otherNodes }),
      ...(options.extraV1Routes ?? []),
    ],
  });
  const mappings = createMappings(db);
  const point = { subjects: createSubjects(db, access, now, options.useMemory), mappings, lane, options: access };
  registerConsulApi(app, { ...family, apiRoutes: [decisionRoutes(point)] }, DECISION_POINT);
  app.addHook("onListen", measureLogins(metrics, db, services, now));
  closeWith(app, services);
  return app;
}

/** Closes the validators of logins when the server closes. */
function closeWith(app: FastifyInstance, { validators }: ReturnType<typeof createLoginServices>): void {
  app.addHook("onClose", (_app, done) => {
    validators.close();
    done();
  });
}

function requestLimits({ rateLimit, rateLimitPerAddress, rateLimitExempt }: AppOptions["config"]) {
  const now = () => performance.now();
  return {
    limits: createRateLimits({ perToken: rateLimit, perAddress: rateLimitPerAddress, now }),
    exemptsManagement: rateLimitExempt === "management",
  };
}

/** Measures the work of the server that there is beside requests. */
function measureWork(metrics: MetricRegistry, { auditOutput, deliveries, keys, backups }: AppOptions): void {
  if (auditOutput !== undefined) measureAuditOutput(metrics, auditOutput);
  if (deliveries !== undefined) measureDeliveries(metrics, deliveries);
  if (keys !== undefined) measureKeys(metrics, keys);
  if (backups !== undefined) measureBackups(metrics, backups);
}

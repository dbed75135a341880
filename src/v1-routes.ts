/** The routes of every feature under `/v1`. */
import { accessRoutes } from "./explain/access/routes.ts";
import { authMethodRoutes } from "./acl/auth-methods/routes.ts";
import { authorizationRoutes } from "./acl/authorizations/routes.ts";
import { bindingRuleRoutes } from "./acl/binding-rules/routes.ts";
import { decisionMappingRoutes } from "./acl/decision-mappings/routes.ts";
import { declarationRoutes } from "./acl/declarations/routes.ts";
import { effectiveRoutes } from "./explain/effective/routes.ts";
import { disablingRoutes } from "./acl/disabling/routes.ts";
import { effectRoutes } from "./explain/effect/routes.ts";
import { lintRoutes } from "./acl/checks/routes.ts";
import { oidcRoutes, loginRoutes } from "./acl/login/routes.ts";
import { type LoginServices } from "./acl/login/services.ts";
import { namespaceRoutes } from "./acl/namespaces/routes.ts";
import { partitionRoutes } from "./acl/partitions/routes.ts";
import { policyRoutes } from "./acl/policies/routes.ts";
import { roleRoutes } from "./acl/roles/routes.ts";
import { scopeRenderer } from "./rights/scope.ts";
import { sessionRoutes } from "./acl/sessions/routes.ts";
import { trashRoutes } from "./acl/trash/routes.ts";
import { templatedPolicyRoutes } from "./acl/templated-policies/routes.ts";
import { bootstrapRoutes } from "./acl/tokens/bootstrap-routes.ts";
import { bulkTokenRoutes } from "./acl/tokens/bulk-routes.ts";
import { tokenNameRoutes } from "./acl/tokens/names-routes.ts";
import { tokenHistogramRoutes } from "./acl/tokens/histogram-routes.ts";
import { createOwnTokenReader } from "./acl/tokens/own.ts";
import { renderToken } from "./acl/tokens/render.ts";
import { type AccessOptions } from "./acl/tokens/resolve.ts";
import { tokenRoutes } from "./acl/tokens/routes.ts";
import { viewRoutes } from "./acl/views/routes.ts";
import { usesRoutes } from "./explain/uses/routes.ts";
import type { QuestionLane } from "./rights/question-lane.ts";
import { whyRoutes } from "./explain/why/routes.ts";
import { historyRoutes } from "./audit/history/routes.ts";
import { auditDaysRoutes } from "./audit/days/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import type { BackupProgress } from "./backup/schedule/scheduled.ts";
import type { Config } from "./config.ts";
import { readVersion } from "./config/version.ts";
import { eventRoutes } from "./events/routes.ts";
import { createEventWindow } from "./events/window.ts";
import { allChecks } from "./http/metrics/health.ts";
import { type V1Routes } from "./http/v1/consul-api.ts";
import { renderJson } from "./http/v1/render.ts";
import { useRoutes } from "./use/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { statusRoutes } from "./status/routes.ts";
import type { Database } from "./storage/database.ts";
import { nodeName, type NodeNotes } from "./storage/feed/nodes.ts";
import { tighteningRoutes } from "./use/tighten/routes.ts";
import { replayRoutes } from "./use/replay/routes.ts";

/** Changes that a client of the event stream may have missed and still be told. */
const KEPT_EVENTS = 8192;

export interface V1Options {
  db: Database;
  now: () => number;
  edition: Config["edition"];
  config: Partial<Pick<Config, "bootstrap" | "bootstrapSecret" | "loginFailureLimit" | "impactReason">>;
  services: LoginServices;
  /** Lane of all questions about permissions. */
  lane: QuestionLane;
  backups: (() => BackupProgress | undefined) | undefined;
  otherNodes: NodeNotes["others"] | undefined;
}

/** Every feature that has routes under `/v1` is listed here, and only here. */
export function v1Routes(access: AccessOptions, options: V1Options): readonly V1Routes[] {
  const { db, now, edition, config, services, lane } = options;
  const { bootstrap: mode = "auto", bootstrapSecret, loginFailureLimit: failuresPerMinute = 100 } = config;
  const { impactReason = 100 } = config;
  const { nodeName: name, datacenter } = access;
  const renderScope = scopeRenderer(edition);
  const version = readVersion();
  const { validators, regularExpressions, bindingRuleSets } = services;
  const login = { db, now, services, renderScope };
  const methods = { validators, regularExpressions, edition };
  return [
    statusRoutes({ name, datacenter, edition, version }, renderScope),
    bootstrapRoutes({ db, now, mode, bootstrapSecret, failuresPerMinute, renderScope }),
    policyRoutes(renderScope, access),
    roleRoutes(renderScope, access),
    declarationRoutes(renderScope),
    decisionMappingRoutes(renderScope),
    sessionRoutes(renderScope),
    viewRoutes(renderScope),
    tokenRoutes(
      access,
      createOwnTokenReader(db, (token) => renderJson(renderToken(token, renderScope))),
      renderScope,
    ),
    tokenNameRoutes(renderScope),
    disablingRoutes(renderScope),
    bulkTokenRoutes(renderScope),
    tokenHistogramRoutes(lane),
    templatedPolicyRoutes,
    authMethodRoutes(methods, renderScope),
    lintRoutes({ ...methods, ...access }, bindingRuleSets),
    bindingRuleRoutes({ validators, regularExpressions, bindingRuleSets }, renderScope),
    trashRoutes({ ...methods, bindingRuleSets, datacenter }, renderScope),
    loginRoutes(login),
    authorizationRoutes(access, edition),
    whyRoutes({ access, services, renderScope, lane }),
    accessRoutes(access, renderScope, lane),
    effectRoutes(access, renderScope, lane, impactReason),
    replayRoutes({ access, checks: { validators, regularExpressions, bindingRuleSets }, lane }, renderScope),
    effectiveRoutes({ access, renderScope, lane }),
    usesRoutes(renderScope),
    useRoutes({ lane, edition }),
    tighteningRoutes(access, lane),
    overviewRoutes({
      edition,
      checks: (isStopping) => allChecks(db, isStopping),
      backups: options.backups,
      node: { name: nodeName(), version },
      others: options.otherNodes,
    }),
    ...(edition === "enterprise" ? [namespaceRoutes, partitionRoutes, oidcRoutes(login)] : []),
    eventRoutes(createEventWindow(db, KEPT_EVENTS), renderScope),
    historyRoutes(lane),
    auditRoutes(renderScope),
    auditDaysRoutes(lane),
  ];
}

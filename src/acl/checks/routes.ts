import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { MethodOptions } from "../auth-methods/service.ts";
import { communityMethodBody, inputFrom as methodFrom, methodBody } from "../auth-methods/schema.ts";
import { inputFrom as ruleFrom } from "../binding-rules/schema.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { BindingRuleSets } from "../login/binding-rule-sets.ts";
import { inputFrom as policyFrom, policyBody } from "../policies/schema.ts";
import { lintAuthMethod, lintBindingRule, lintPolicy } from "./lint.ts";
import type { Findings } from "./finding.ts";
import { ORIGINS } from "./policies.ts";
import { communityRuleToCheck, findingsAnswer, renderFindings, ruleToCheck } from "./schema.ts";
import type { QueryParameters } from "../../http/query.ts";

/** The routes that look through policies, binding rules and auth methods before they are written. */
export function lintRoutes(
  options: MethodOptions & { datacenter: string },
  bindingRuleSets: BindingRuleSets,
): V1Routes {
  const methodSchema = options.edition === "community" ? (communityMethodBody as typeof methodBody) : methodBody;
  return (app, _options, done) => {
    const add = (
      noun: string,
      operationId: string,
      schema: TSchema,
      lint: (request: FastifyRequest) => Promise<Findings>,
      query: Readonly<Record<string, string>> = {},
    ): void => {
      const described = operation({
        operationId,
        summary: `Check ${noun === "auth method" ? "an" : "a"} ${noun} for errors`,
        description: "Nothing is written. Requires acl:read.",
        tag: "Access control",
        query: { ...SCOPE_PARAMETERS.namespace, ...query },
        answer: findingsAnswer,
      });
      const config = { question: true, body: { schema, prefix: "Failed to decode request body: " } };
      app.post(`/acl/${noun.replaceAll(" ", "-")}/check`, { config, schema: described }, async (request) => {
        checkPermission(request.ctx, request.scope, "acl", "read");
        return renderFindings(await lint(request));
      });
    };
    add(
      "policy",
      "checkPolicy",
      policyBody,
      (request) => {
        const body = bodyOf(request, policyBody);
        const { from = "" } = request.query as QueryParameters;
        return lintPolicy(request.ctx, request.scope, body.ID ?? "", { ...policyFrom(body), from }, options);
      },
      { from: `Origin of the policy: ${ORIGINS.join(", ")}. Decisions that differ there are reported as warnings.` },
    );
    const checks = { ...options, bindingRuleSets };
    const ruleSchema = options.edition === "community" ? (communityRuleToCheck as typeof ruleToCheck) : ruleToCheck;
    add("binding rule", "checkBindingRule", ruleSchema, (request) => {
      const { Method, ...body } = bodyOf(request, ruleToCheck);
      const method = Method && methodFrom(Method);
      return lintBindingRule(request.ctx, request.scope, body.ID ?? "", ruleFrom(body), checks, method);
    });
    add("auth method", "checkAuthMethod", methodSchema, (request) => {
      const body = bodyOf(request, methodBody);
      return lintAuthMethod(request.ctx, request.scope, body.Name ?? "", methodFrom(body), options);
    });
    done();
  };
}

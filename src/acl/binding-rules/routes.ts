import { invalid } from "../../errors.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import type { QueryParameters } from "../../http/query.ts";
import { AUTH_METHODS, BINDING_RULES } from "../../rights/kinds.ts";
import { objectRoutes, targetOf } from "../kit/object-routes.ts";
import { BY_ID } from "../kit/operations.ts";
import { warningsOfBindingRule } from "../checks/lint.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { readKey } from "../idempotency.ts";
import { inputFrom, patched, renderBindingRule, bindingRuleAnswer, bindingRuleBody } from "./schema.ts";
import {
  createBindingRule,
  deleteBindingRule,
  listBindingRules,
  readBindingRule,
  updateBindingRule,
  type BindingRuleChecks,
} from "./service.ts";

/** The routes of binding rules. */
export function bindingRuleRoutes(checks: BindingRuleChecks, renderScope: RenderScope): V1Routes {
  return objectRoutes({
    noun: "binding rule",
    key: BY_ID,
    order: "ID",
    body: bindingRuleBody,
    answer: bindingRuleAnswer,
    listAnswer: "The binding rules.",
    createHeaders: {
      "Idempotency-Key": "Idempotency key. A repeated create with this key returns the first binding rule.",
    },
    // A token has so many keys at a time.
    createRefusals: [429],
    filters: { authmethod: "Only binding rules of the auth method with this name, ignoring case." },
    // They go with their auth method.
    reads: { tables: [BINDING_RULES, AUTH_METHODS], sharing: "kept" },
    async create(request, body) {
      if (body.ID) throw invalid("BindingRule ID in URL and payload do not match");
      const input = inputFrom(body);
      const key = readKey(request.headers["idempotency-key"]);
      const idempotent = key === undefined ? undefined : { key, body: input };
      return createBindingRule(request.ctx, targetOf(request), input, { ...checks, idempotent });
    },
    inputFrom,
    patched,
    write: (request, id, edit) => updateBindingRule(request.ctx, targetOf(request, id), edit, checks),
    find: ({ ctx, scope }, id) => readBindingRule(ctx, scope, id),
    remove: (request, id) => deleteBindingRule(request.ctx, targetOf(request, id)),
    list({ ctx, scope, query }) {
      const { authmethod = "" } = query as QueryParameters;
      return listBindingRules(ctx, scope, authmethod);
    },
    keyOf: ({ id }) => id,
    warningsOf: ({ ctx }, bindingRule) => warningsOfBindingRule(ctx, bindingRule, checks),
    render: (bindingRule) => renderBindingRule(bindingRule, renderScope),
  });
}

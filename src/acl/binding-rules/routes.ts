import type { FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { undocumented } from "../../http/v1/operation.ts";
import type { Query } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { AUTH_METHODS } from "../auth-methods/lookup.ts";
import { objectOperations } from "../operations.ts";
import type { RenderScope } from "../render-scope.ts";
import { readKey } from "./idempotency.ts";
import { BINDING_RULES } from "./lookup.ts";
import { inputFrom, patched, renderRule, ruleAnswer, ruleBody, ruleListAnswer } from "./schema.ts";
import {
  createRule,
  deleteRule,
  listRules,
  readRule,
  updateRule,
  type BindingRule,
  type RuleChecks,
  type RuleInput,
} from "./service.ts";

const OPERATIONS = objectOperations({
  noun: "binding rule",
  plural: "binding rules",
  prefix: "BindingRule decoding failed: ",
  key: "id",
  keyName: "ID",
  order: "IDs",
  body: ruleBody,
  answer: ruleAnswer,
  listAnswer: ruleListAnswer,
  createHeaders: { "Idempotency-Key": "The same creation sent again with the same key answers the first rule." },
  filters: { authmethod: "Only rules of the auth method with this name, in any case." },
});

/** A token has so many keys at a time. */
const CREATE = { ...OPERATIONS.create, config: { ...OPERATIONS.create.config, refusals: [429] } };

/** The routes of binding rules. */
export function bindingRuleRoutes(checks: RuleChecks, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const create = async (request: FastifyRequest) => {
      const body = bodyOf(request, ruleBody);
      checkId("", body.ID);
      const { ctx, scope } = request;
      const input = inputFrom(body);
      const key = readKey(request.headers["idempotency-key"]);
      const idempotent = key === undefined ? undefined : { key, body: input };
      const rule = await createRule(ctx, scope, input, { cas: casOf(request), idempotent, ...checks });
      return renderRule(rule, renderScope);
    };
    app.put("/acl/binding-rule", CREATE, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/binding-rule/", undocumented(OPERATIONS.create), create);
    const update = async (request: FastifyRequest, edit: (current: RuleInput) => RuleInput) => {
      const { ctx, scope } = request;
      const options = { cas: casOf(request), ...checks };
      return renderRule(await updateRule(ctx, scope, paramsOf<ById>(request).id, edit, options), renderScope);
    };
    app.put<ById>("/acl/binding-rule/:id", OPERATIONS.replace, async (request) => {
      const body = bodyOf(request, ruleBody);
      checkId(request.params.id, body.ID);
      return update(request, () => inputFrom(body));
    });
    app.patch<ById>("/acl/binding-rule/:id", OPERATIONS.patch, async (request) => {
      const patch = patchOf(request, ruleBody);
      checkId(request.params.id, patch.ID ?? undefined);
      return update(request, (current) => patched(current, patch));
    });
    const read = serveObject({
      ...READ,
      keyOf: (request) => paramsOf<ById>(request).id.toLowerCase(),
      async find(request) {
        const rule = await readRule(request.ctx, request.scope, paramsOf<ById>(request).id);
        return { key: rule.id, value: renderRule(rule, renderScope) };
      },
    });
    app.get("/acl/binding-rule/:id", OPERATIONS.read, read);
    app.delete<ById>("/acl/binding-rule/:id", OPERATIONS.delete, async (request) => {
      await deleteRule(request.ctx, request.scope, request.params.id, casOf(request));
      return true;
    });
    const list = serveList({
      ...READ,
      of({ ctx, scope, query }) {
        const { authmethod = "" } = query as Query;
        return {
          ...listRules(ctx, scope, authmethod),
          render: (rule: BindingRule) => renderRule(rule, renderScope),
        };
      },
    });
    app.get("/acl/binding-rules", OPERATIONS.list, list);
    done();
  };
}

/** They go with their auth method. */
const READ = { tables: [BINDING_RULES, AUTH_METHODS], sharing: "kept" } as const;

type ById = { Params: { id: string } };

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

function checkId(pathId: string, bodyId: string | undefined): void {
  if (bodyId && bodyId.toLowerCase() !== pathId.toLowerCase()) {
    throw new AppError("invalid", "BindingRule ID in URL and payload do not match");
  }
}

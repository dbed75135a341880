import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import type { MergePatch } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { casOf, objectRoutes } from "../object-routes.ts";
import type { RenderScope } from "../scope.ts";
import { POLICIES } from "../kinds.ts";
import { policyAnswer, policyBody, policyListAnswer, renderPolicy, renderPolicyStub } from "./schema.ts";
import {
  createPolicy,
  deletePolicy,
  listPolicies,
  readPolicy,
  readPolicyByName,
  updatePolicy,
  type PolicyInput,
  type WriteOptions,
} from "./service.ts";

/** The routes of policies. */
export function policyRoutes(renderScope: RenderScope, edition: WriteOptions["edition"]): V1Routes {
  const optionsOf = (request: FastifyRequest): WriteOptions => ({ cas: casOf(request), edition });
  return (app, _options, done) => {
    objectRoutes(app, {
      noun: "policy",
      plural: "policies",
      paths: { one: "/acl/policy", all: "/acl/policies" },
      prefix: "Policy decoding failed: ",
      key: "id",
      keyName: "ID",
      keyMember: { name: "ID", said: "Policy ID" },
      order: "names",
      body: policyBody,
      answer: policyAnswer,
      listAnswer: policyListAnswer,
      filters: {},
      reads: { tables: [POLICIES], sharing: "kept" },
      async create(request, body) {
        if (body.ID) throw new AppError("invalid", "Cannot specify the ID when creating a new policy");
        return createPolicy(request.ctx, request.scope, inputOf(body), optionsOf(request));
      },
      replace(request, id, body) {
        const change = { rules: body.Rules ?? "", edit: () => inputOf(body) };
        return updatePolicy(request.ctx, request.scope, id, change, optionsOf(request));
      },
      patch(request, id, patch) {
        const rules = "Rules" in patch ? (patch.Rules ?? "") : undefined;
        const change = { rules, edit: (current: PolicyInput) => patched(current, patch) };
        return updatePolicy(request.ctx, request.scope, id, change, optionsOf(request));
      },
      find: ({ ctx, scope }, id) => readPolicy(ctx, scope, id),
      // A name may hold slashes, which not every client escapes.
      byName: { path: "*", find: ({ ctx, scope }, name) => readPolicyByName(ctx, scope, nameOf(name)) },
      remove: (request, id) => deletePolicy(request.ctx, request.scope, id, casOf(request)),
      list: ({ ctx, scope }) => listPolicies(ctx, scope),
      renderListed: (policy) => renderPolicyStub(policy, renderScope),
      keyOf: ({ id }) => id,
      render: (policy) => renderPolicy(policy, renderScope),
    });
    done();
  };
}

/** Go clients escape a name twice. The slash is the only character of a name that they escape. */
function nameOf(name: string): string {
  return name.replaceAll(/%2f/gi, "/");
}

function inputOf({
  Name = "",
  Description = "",
  Rules = "",
  Datacenters = [],
}: Static<typeof policyBody>): PolicyInput {
  return { name: Name, description: Description, rules: Rules, datacenters: Datacenters };
}

/** What the patch names is replaced, null empties it, all else stays. */
function patched(current: PolicyInput, patch: MergePatch<Static<typeof policyBody>>): PolicyInput {
  const { Name = current.name, Description = current.description } = patch;
  const { Rules = current.rules, Datacenters = current.datacenters } = patch;
  return { name: Name ?? "", description: Description ?? "", rules: Rules ?? "", datacenters: Datacenters ?? [] };
}

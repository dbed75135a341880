import { invalid } from "../../errors.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { objectRoutes, targetOf } from "../kit/object-routes.ts";
import { BY_ID } from "../kit/operations.ts";
import { warningsOfPolicy } from "../checks/policies.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { POLICIES } from "../../rights/kinds.ts";
import { inputFrom, policyAnswer, policyBody, policyListAnswer, renderPolicy, renderPolicyStub } from "./schema.ts";
import {
  createPolicy,
  deletePolicy,
  listPolicies,
  readPolicy,
  readPolicyByName,
  updatePolicy,
  type PolicyEdition,
} from "./service.ts";

/** The routes of policies. */
export function policyRoutes(
  renderScope: RenderScope,
  options: { edition: PolicyEdition; datacenter: string },
): V1Routes {
  const { edition } = options;
  return objectRoutes({
    noun: "policy",
    key: BY_ID,
    body: policyBody,
    answer: policyAnswer,
    listAnswer: policyListAnswer,
    reads: { tables: [POLICIES], sharing: "kept" },
    async create(request, body) {
      if (body.ID) throw invalid("Cannot specify the ID when creating a new policy");
      return createPolicy(request.ctx, targetOf(request), inputFrom(body), edition);
    },
    inputFrom,
    write: (request, id, edit, { Rules }) =>
      updatePolicy(request.ctx, targetOf(request, id), { rules: Rules ?? "", edit }, edition),
    find: ({ ctx, scope }, id) => readPolicy(ctx, scope, id),
    // A name may hold slashes, which not every client escapes.
    byName: { path: "*", find: ({ ctx, scope }, name) => readPolicyByName(ctx, scope, nameOf(name)) },
    remove: (request, id) => deletePolicy(request.ctx, targetOf(request, id)),
    list: ({ ctx, scope }) => listPolicies(ctx, scope),
    renderListed: (policy) => renderPolicyStub(policy, renderScope),
    keyOf: ({ id }) => id,
    warningsOf: (_request, policy) => warningsOfPolicy(policy, options),
    render: (policy) => renderPolicy(policy, renderScope),
  });
}

/** Go clients escape a name twice. The slash is the only character of a name that they escape. */
function nameOf(name: string): string {
  return name.replaceAll(/%2f/gi, "/");
}

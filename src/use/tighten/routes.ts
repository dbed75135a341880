import type { QuestionLane } from "../../rights/question-lane.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import {
  keepFrom,
  renderTightenedPolicy,
  renderTightenedRole,
  tightenPolicyAnswer,
  tightenPolicyBody,
  tightenRoleAnswer,
  tightenRoleBody,
  windowFrom,
} from "./schema.ts";
import { tightenPolicy, tightenRoleOf } from "./service.ts";

const PREFIX = "Failed to decode request body: ";
const RIGHTS = "Requires acl:read in all namespaces whose tokens can hold it.";

/** The routes that propose a smaller policy or role. */
export function tighteningRoutes(options: AccessOptions, lane: QuestionLane): V1Routes {
  return (app, _options, done) => {
    const policies = operation({
      operationId: "tightenPolicy",
      summary: "Propose a smaller policy",
      description: `Uses recorded use of permissions. The draft adds no permission for any subject and is not applied. ${RIGHTS}`,
      tag: "Access control",
      params: { id: "ID of the policy." },
      query: SCOPE_PARAMETERS.namespace,
      answer: tightenPolicyAnswer,
    });
    const policyConfig = { question: true, body: { schema: tightenPolicyBody, prefix: PREFIX } };
    app.post("/acl/policy/:id/tighten", { config: policyConfig, schema: policies }, async (request) => {
      const body = bodyOf(request, tightenPolicyBody);
      const target = { scope: request.scope, id: (request.params as { id: string }).id };
      const asked = { ...windowFrom(body), keep: keepFrom(body) };
      return renderTightenedPolicy(await tightenPolicy(request.ctx, options, lane, target, asked));
    });
    const roles = operation({
      operationId: "tightenRole",
      summary: "Propose a smaller role",
      description: `Lists policies of the role without recorded use. The role stays unchanged. ${RIGHTS}`,
      tag: "Access control",
      params: { id: "ID of the role." },
      query: SCOPE_PARAMETERS.namespace,
      answer: tightenRoleAnswer,
    });
    const roleConfig = { question: true, body: { schema: tightenRoleBody, prefix: PREFIX } };
    app.post("/acl/role/:id/tighten", { config: roleConfig, schema: roles }, async (request) => {
      const body = bodyOf(request, tightenRoleBody);
      const target = { scope: request.scope, id: (request.params as { id: string }).id };
      const asked = { ...windowFrom(body), keep: body.Keep ?? [] };
      return renderTightenedRole(await tightenRoleOf(request.ctx, options, lane, target, asked));
    });
    done();
  };
}

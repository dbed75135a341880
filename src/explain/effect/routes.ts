import type { QuestionLane } from "../../rights/question-lane.ts";
import type { QueryParameters } from "../../http/query.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { PAGE_PARAMETERS, showPage, sizeOf } from "../access/page.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { draftsFrom, effectAnswer, effectBody, renderEffect } from "./schema.ts";
import { effectOf } from "./service.ts";

/** The route that says whom a change would give and take what. */
export function effectRoutes(
  options: AccessOptions,
  renderScope: RenderScope,
  lane: QuestionLane,
  impactReason: number,
): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "previewEffect",
      summary: "Preview the impact of access control changes",
      description: "Changes of policies, roles, tokens and default policies of namespaces. Requires acl:read.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        change: "Only subjects of the change with this ID.",
        kind: "Only `role`, `binding-rule` or `token`.",
        ...PAGE_PARAMETERS,
      },
      answer: effectAnswer,
    });
    const config = { question: true, body: { schema: effectBody, prefix: "Failed to decode request body: " } };
    app.post("/acl/effect", { config, schema }, async (request, reply) => {
      const { kind = "", after = "", change = "", "page-size": size } = request.query as QueryParameters;
      const asked = { drafts: draftsFrom(bodyOf(request, effectBody)), kind, after, change, size: sizeOf(size) };
      const page = await effectOf(request.ctx, options, lane, request.scope, asked);
      showPage(reply, page);
      return renderEffect(page, renderScope, impactReason);
    });
    done();
  };
}

import type { QueryParameters } from "../../http/query.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { PAGE_PARAMETERS, showPage, sizeOf } from "../../explain/access/page.ts";
import { draftsFrom } from "../../explain/effect/schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { bindingsFrom, renderReplay, replayAnswer, replayBody } from "./schema.ts";
import { replayOf, type Replaying } from "./service.ts";

/** The route that asks what was really asked again, by a draft. */
export function replayRoutes(replaying: Replaying, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "replayDraft",
      summary: "Replay recorded use against a draft",
      description:
        "Repeats each recorded access check twice: with the stored objects, and with the draft. The draft can contain policies, roles, tokens, default policies and binding rules. Writes nothing. Requires acl:read.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        change:
          "Only `refused`, `allowed` or `already-refused`. Default: `refused` and `allowed`. The totals always include all kinds.",
        ...PAGE_PARAMETERS,
      },
      answer: replayAnswer,
    });
    const config = { question: true, body: { schema: replayBody, prefix: "Failed to decode request body: " } };
    app.post("/acl/replay", { config, schema }, async (request, reply) => {
      const { change = "", after = "", "page-size": size } = request.query as QueryParameters;
      const body = bodyOf(request, replayBody);
      const drafts = { drafts: draftsFrom(body), bindings: bindingsFrom(body) };
      const page = await replayOf(request.ctx, replaying, request.scope, {
        ...drafts,
        change,
        after,
        size: sizeOf(size),
      });
      showPage(reply, page);
      return renderReplay(page, renderScope);
    });
    done();
  };
}

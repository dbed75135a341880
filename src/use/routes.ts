import type { QueryParameters } from "../http/query.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../http/v1/operation.ts";
import { renderEntry, renderDay } from "./render.ts";
import { useAnswer } from "./schema.ts";
import { reportUse } from "./service.ts";

type Options = Parameters<typeof reportUse>[1];

/** The route that reports which permissions are used. */
export function useRoutes(options: Options): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "readUse",
      summary: "Report the use of permissions",
      description:
        "Use of the policies, rules, tokens, roles, identities, binding rules or decision points of a namespace, by day. Requires acl:read. " +
        "Names are shown if the caller may read them.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        by: "Subjects of the report: policy (default), rule, token, role, identity, binding-rule or decision-point.",
        policy: "ID of a policy. Only the use of this policy is counted.",
        id: "ID of the one policy, token, role or binding rule to report.",
        "unused-for": "Only subjects that were not used for this time, such as 30d.",
      },
      answer: useAnswer,
    });
    app.get("/acl/use", { schema }, async ({ ctx, scope, query }) => {
      const { by = "policy", policy: policyId = "", id = "", "unused-for": unusedFor = "" } = query as QueryParameters;
      const { since, gap, today, entries, hasMore } = await reportUse(ctx, options, {
        scope,
        by,
        policyId,
        id,
        unusedFor,
      });
      return {
        ...(since !== undefined && { Since: renderDay(since) }),
        ...(gap !== undefined && { IncompleteOn: renderDay(gap) }),
        Entries: entries.map((entry) => renderEntry(entry, today)),
        ...(hasMore && { More: true }),
      };
    });
    done();
  };
}

import { Type } from "typebox";
import type { QuestionLane } from "../../rights/question-lane.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { ANY_NAMESPACE_PARAMETER, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { countAuditDays } from "./service.ts";

const answer = Type.Object(
  {
    Days: Type.Array(
      Type.Object({
        Day: Type.String({ description: "Day in UTC." }),
        Writes: Type.Integer({ description: "Records of changes and other actions." }),
        Logins: Type.Integer({ description: "Records of logins." }),
        Refusals: Type.Integer({ description: "Denied requests, including identical ones that share a record." }),
      }),
      { description: "Oldest first." },
    ),
    More: Type.Optional(
      Type.Boolean({ description: "Whether earlier days are missing: at most 50,000 records are counted." }),
    ),
  },
  {
    description:
      "Numbers of changes, logins and denied requests in the audit records that the caller may read, by day. Hashes are not verified.",
    examples: [{ Days: [{ Day: "2026-11-24", Writes: 31, Logins: 12, Refusals: 2 }] }],
  },
);

/** The route of numbers by day. @param lane of work that reads many rows */
export function auditDaysRoutes(lane: QuestionLane): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "countAuditDays",
      summary: "Count audit records by day",
      description: "Changes, logins and denied requests of the last 30 days. Requires the permissions of `listAudit`.",
      tag: "Audit",
      query: { ...SCOPE_PARAMETERS.namespace, ...ANY_NAMESPACE_PARAMETER },
      answer,
    });
    app.get("/audit/days", { config: { anyNamespace: true }, schema }, async ({ ctx, scope }) => {
      const { days, isCut } = await countAuditDays(ctx, scope, lane);
      return {
        Days: days.map(({ day, writes, logins, refusals }) => ({
          Day: day,
          Writes: writes,
          Logins: logins,
          Refusals: refusals,
        })),
        More: isCut || undefined,
      };
    });
    done();
  };
}

import { AppError } from "../../errors.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import type { QueryParameters } from "../../http/query.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { renderVersion } from "./render.ts";
import { historyAnswer } from "./schema.ts";
import { findVersion, listVersions, readAskedHistory } from "./service.ts";

/** The route of earlier versions. @param lane of work that reads and compiles much */
export function historyRoutes(lane: QuestionLane): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "listVersions",
      summary: "List earlier versions of an object",
      description: "The newest 100 in the audit log. A PATCH with the content of a version restores it.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        policy: "ID of a policy.",
        role: "ID of a role.",
        "binding-rule": "ID of a binding rule.",
        "auth-method": "Name of an auth method.",
        namespace: "Name of a namespace, for its default policies and roles.",
        version: "Version to return with its content.",
      },
      answer: historyAnswer,
    });
    app.get("/acl/history", { schema }, async ({ ctx, scope, query }) => {
      const parameters = query as QueryParameters;
      const asked = readAskedHistory(parameters);
      const version = readVersion(parameters["version"]);
      return lane.run(ctx.actor, async () => {
        if (version === undefined) {
          return (await listVersions(ctx, scope, asked)).map((each) => renderVersion(each, false));
        }
        return [renderVersion(await findVersion(ctx, scope, asked, version), true)];
      });
    });
    done();
  };
}

/** @throws AppError `bad_parameter` */
function readVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new AppError("bad_parameter", `Invalid version "${text.slice(0, 40)}": expected a ModifyIndex`);
  }
  return Number(text);
}

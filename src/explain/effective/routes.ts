import { readTime } from "../../audit/schema.ts";
import { AppError } from "../../errors.ts";
import type { QueryParameters } from "../../http/query.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { showPage, sizeOf } from "../access/page.ts";
import { effectiveAnswer, renderEffective } from "./schema.ts";
import { effectivePermissions, type EffectiveOptions } from "./service.ts";
import { SELF, SUBJECT_KINDS, type SubjectName } from "./subject.ts";

/** The route that shows effective permissions. */
export function effectiveRoutes(options: EffectiveOptions): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "listEffective",
      summary: "List effective permissions",
      description: "Merged policy rules of a subject, or of two. Requires acl:read, except for the caller's own token.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        accessor: "AccessorID of a token, or `self`. Default without another subject: `self`.",
        role: "ID or name of a role.",
        "auth-method": "Auth method: the permissions of a login that all its binding rules match.",
        "namespace-defaults": "Namespace: the default policies of its tokens.",
        with: "Second subject, such as `accessor:ID` or `role:NAME`. Only resources with differences are listed.",
        resource: "Only rows of this resource.",
        at: "Time in RFC 3339: the permissions at that time, from audit records. Not for auth methods.",
        "page-size":
          "Maximum number of rows. Default: 100. The header X-Service-Next contains the cursor of the next page.",
        after: "X-Service-Next of the previous page.",
      },
      answer: effectiveAnswer,
    });
    app.get("/acl/effective", { config: { refusals: [409, 422] }, schema }, async (request, reply) => {
      const query = request.query as QueryParameters;
      const { resource = "", after = "" } = query;
      const at = query["at"] ? readTime(query["at"], "at") : undefined;
      const asked = { subject: subjectOf(query), other: otherOf(query["with"]), resource, after, at };
      const size = sizeOf(query["page-size"]);
      const page = await effectivePermissions(request.ctx, options, request.scope, { ...asked, size });
      showPage(reply, page);
      return renderEffective(page, options.access.defaultPolicy, options.renderScope);
    });
    done();
  };
}

/** @throws AppError `bad_parameter` when there are several */
function subjectOf(query: QueryParameters): SubjectName {
  const named = SUBJECT_KINDS.flatMap((kind): SubjectName[] => {
    const name = query[kind];
    return name === undefined || name === "" ? [] : [{ kind, name }];
  });
  if (named.length > 1)
    throw new AppError("bad_parameter", "Set at most one of accessor, role, auth-method and namespace-defaults");
  return named[0] ?? { kind: "accessor", name: SELF };
}

/** @throws AppError `bad_parameter` */
function otherOf(text = ""): SubjectName | undefined {
  if (text === "") return undefined;
  const colon = text.indexOf(":");
  const kind = SUBJECT_KINDS.find((each) => each === text.slice(0, colon));
  const name = text.slice(colon + 1);
  if (colon >= 0 && kind !== undefined && name !== "") return { kind, name };
  throw new AppError(
    "bad_parameter",
    `Invalid parameter "with": expected one of ${SUBJECT_KINDS.join(", ")}, a colon and a name`,
  );
}

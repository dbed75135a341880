import { Type } from "typebox";
import type { QueryParameters } from "../../http/query.ts";
import { oneOf } from "../../http/v1/body-schema.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { SUBJECTS, type AccessEntry } from "./find.ts";
import { PAGE_PARAMETERS, showPage, sizeOf } from "./page.ts";
import { listAccess } from "./service.ts";

const text = Type.Optional(Type.String());

const answer = Type.Array(
  Type.Object({
    Kind: oneOf(SUBJECTS),
    ID: Type.String({ description: "ID; AccessorID of a token." }),
    Name: text,
    ...SHOWN_SCOPE,
    DecidedBy: oneOf(
      ["direct", "default", "default-policy", "computed"],
      "`computed`: depends on the identity that matches the binding rule.",
    ),
    Policies: Type.Array(Type.Object({ ID: Type.String(), Name: Type.String() }), {
      description: "Policies with the rule; `hidden` if the caller may not read them.",
    }),
    AuthMethod: text,
    Selector: text,
  }),
  {
    description: "Subjects with the permission: roles, binding rules with their condition, then tokens.",
    examples: [
      [
        {
          Kind: "binding-rule",
          ID: "000ed53c-e2d3-e7e6-31a5-c19bc3518a3d",
          Name: "role/web-deployers",
          Namespace: "default",
          Partition: "default",
          DecidedBy: "direct",
          Policies: [{ ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11", Name: "web" }],
          AuthMethod: "github-actions",
          Selector: 'value.repository == "example/web"',
        },
      ],
    ],
  },
);

/** The route that says who may do something. */
export function accessRoutes(options: AccessOptions, renderScope: RenderScope, lane: QuestionLane): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "listAccess",
      summary: "List subjects with a permission",
      description: "Roles, tokens and then binding rules that the caller may read. Requires acl:read.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        resource: "Resource, such as `workspace`.",
        segment: "Name, such as `acme/prod`.",
        access: "Access, such as `read` or `write`.",
        kind: "Only `role`, `binding-rule` or `token`.",
        ...PAGE_PARAMETERS,
      },
      answer,
    });
    app.get("/acl/access", { schema }, async (request, reply) => {
      const query = request.query as QueryParameters;
      const { resource = "", segment = "", access = "", kind = "", after = "" } = query;
      const asked = { resource, segment, access, scope: request.scope, kind, after, size: sizeOf(query["page-size"]) };
      const { entries, next, isFiltered } = await listAccess(request.ctx, asked, options, lane);
      showPage(reply, { next, isFiltered });
      return entries.map((entry) => renderEntry(entry, renderScope));
    });
    done();
  };
}

function renderEntry({ kind, id, name, scope, ...entry }: AccessEntry, renderScope: RenderScope) {
  return {
    Kind: kind,
    ID: id,
    Name: name || undefined,
    ...renderScope(scope),
    DecidedBy: entry.decidedBy,
    Policies: entry.policies.map((policy) => ({ ID: policy.id, Name: policy.name })),
    AuthMethod: entry.authMethod,
    Selector: entry.selector || undefined,
  };
}

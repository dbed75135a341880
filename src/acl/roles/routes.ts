import type { Static } from "typebox";
import type { MergePatch } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import type { Query } from "../../http/query.ts";
import { casOf, objectRoutes } from "../object-routes.ts";
import { POLICIES, ROLES } from "../kinds.ts";
import type { RenderScope } from "../scope.ts";
import { grantsFrom, patchGrants } from "../schema.ts";
import { renderRole, roleAnswer, roleBody, roleListAnswer } from "./schema.ts";
import { createRole, deleteRole, listRoles, readRole, readRoleByName, updateRole, type RoleInput } from "./service.ts";

/** The routes of roles. */
export function roleRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    objectRoutes(app, {
      noun: "role",
      plural: "roles",
      paths: { one: "/acl/role", all: "/acl/roles" },
      prefix: "Role decoding failed: ",
      key: "id",
      keyName: "ID",
      keyMember: { name: "ID", said: "Role ID" },
      order: "names",
      body: roleBody,
      answer: roleAnswer,
      listAnswer: roleListAnswer,
      filters: { policy: "Only roles that link to the policy with this ID." },
      // They show the names of policies.
      reads: { tables: [ROLES, POLICIES], sharing: "kept" },
      // With an ID it is an update, as clients know it.
      create: (request, body) =>
        body.ID
          ? updateRole(request.ctx, request.scope, body.ID, () => inputOf(body), casOf(request))
          : createRole(request.ctx, request.scope, inputOf(body), casOf(request)),
      replace: (request, id, body) => updateRole(request.ctx, request.scope, id, () => inputOf(body), casOf(request)),
      patch: (request, id, patch) =>
        updateRole(request.ctx, request.scope, id, (current) => patched(current, patch), casOf(request)),
      find: ({ ctx, scope }, id) => readRole(ctx, scope, id),
      byName: { path: ":name", find: ({ ctx, scope }, name) => readRoleByName(ctx, scope, name) },
      remove: (request, id) => deleteRole(request.ctx, request.scope, id, casOf(request)),
      list({ ctx, scope, query }) {
        const { policy = "" } = query as Query;
        return listRoles(ctx, scope, { policy });
      },
      renderListed: (role) => renderRole(role, renderScope),
      keyOf: ({ id }) => id,
      render: (role) => renderRole(role, renderScope),
    });
    done();
  };
}

function inputOf(body: Static<typeof roleBody>): RoleInput {
  return { ...grantsFrom(body), name: body.Name ?? "", description: body.Description ?? "" };
}

/** What the patch names is replaced, null empties it, all else stays. */
function patched(current: RoleInput, patch: MergePatch<Static<typeof roleBody>>): RoleInput {
  const { Name = current.name, Description = current.description } = patch;
  return { ...patchGrants(current, patch), name: Name ?? "", description: Description ?? "" };
}

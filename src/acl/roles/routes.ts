import type { Static } from "typebox";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import type { QueryParameters } from "../../http/query.ts";
import { foreignIdentities } from "../checks/datacenters.ts";
import { objectRoutes, targetOf } from "../kit/object-routes.ts";
import { BY_ID } from "../kit/operations.ts";
import { POLICIES, ROLES } from "../../rights/kinds.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { grantsFrom } from "../kit/schema.ts";
import { renderRole, ROLE_TEXTS, roleAnswer, roleBody } from "./schema.ts";
import { createRole, deleteRole, listRoles, readRole, readRoleByName, updateRole, type RoleInput } from "./service.ts";

/** The routes of roles. */
export function roleRoutes(renderScope: RenderScope, { datacenter }: { datacenter: string }): V1Routes {
  return objectRoutes({
    noun: "role",
    key: BY_ID,
    body: roleBody,
    answer: roleAnswer,
    listAnswer: "The roles.",
    filters: { policy: "Only roles that link to the policy with this ID." },
    // They show the names of policies.
    reads: { tables: [ROLES, POLICIES], sharing: "kept" },
    // With an ID it is an update, as clients know it.
    create: (request, body) =>
      body.ID
        ? updateRole(request.ctx, targetOf(request, body.ID), () => inputFrom(body))
        : createRole(request.ctx, targetOf(request), inputFrom(body)),
    inputFrom,
    write: (request, id, edit) => updateRole(request.ctx, targetOf(request, id), edit),
    find: ({ ctx, scope }, id) => readRole(ctx, scope, id),
    byName: { path: ":name", find: ({ ctx, scope }, name) => readRoleByName(ctx, scope, name) },
    remove: (request, id) => deleteRole(request.ctx, targetOf(request, id)),
    list({ ctx, scope, query }) {
      const { policy = "" } = query as QueryParameters;
      return listRoles(ctx, scope, { policy });
    },
    keyOf: ({ id }) => id,
    warningsOf: async (_request, role) => foreignIdentities(role, datacenter),
    render: (role) => renderRole(role, renderScope),
  });
}

function inputFrom(body: Static<typeof roleBody>): RoleInput {
  return { ...grantsFrom(body), name: body.Name ?? "", ...ROLE_TEXTS.from(body) };
}

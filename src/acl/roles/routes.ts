import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf, type MergePatch } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { CAS_PARAMETER, deleted, operation, PAGE_PARAMETERS } from "../../http/v1/operation.ts";
import type { Query } from "../../http/query.ts";
import { answerIndex, answerList } from "../listing.ts";
import type { RenderScope } from "../render-scope.ts";
import { fold } from "../rules/fold.ts";
import { grantsFrom, patchGrants } from "../schema.ts";
import { ROLES } from "./lookup.ts";
import { renderRole, roleAnswer, roleBody, roleListAnswer } from "./schema.ts";
import { createRole, deleteRole, listRoles, readRole, readRoleByName, updateRole, type RoleInput } from "./service.ts";

const PREFIX = "Role decoding failed: ";
const TAG = "Roles";
const BODY = { schema: roleBody, prefix: PREFIX };
const ID = { id: "ID of the role." };
const CREATE = {
  config: { body: BODY },
  schema: operation({
    operationId: "createRole",
    summary: "Create a role",
    tag: TAG,
    query: CAS_PARAMETER,
    answer: roleAnswer,
  }),
};
const REPLACE = {
  config: { body: BODY },
  schema: operation({
    operationId: "replaceRole",
    summary: "Replace a role as a whole",
    tag: TAG,
    params: ID,
    query: CAS_PARAMETER,
    answer: roleAnswer,
  }),
};
const PATCH = {
  config: { body: { ...BODY, patch: true as const } },
  schema: operation({
    operationId: "updateRole",
    summary: "Change the members of a role that the body names (JSON Merge Patch)",
    tag: TAG,
    params: ID,
    query: CAS_PARAMETER,
    answer: roleAnswer,
  }),
};
const READ = {
  config: { read: true, missing: "Missing role ID" },
  schema: operation({
    operationId: "readRole",
    summary: "Read a role",
    tag: TAG,
    params: ID,
    answer: roleAnswer,
  }),
};
const READ_BY_NAME = {
  config: { read: true, missing: "Missing role Name" },
  schema: operation({
    operationId: "readRoleByName",
    summary: "Read a role by its name, in any case",
    tag: TAG,
    params: { name: "Name of the role." },
    answer: roleAnswer,
  }),
};
const LIST = {
  config: { read: true },
  schema: operation({
    operationId: "listRoles",
    summary: "List roles in order of their names",
    tag: TAG,
    query: { ...PAGE_PARAMETERS, policy: "Only roles that link to the policy with this ID." },
    answer: roleListAnswer,
  }),
};
const DELETE = {
  config: { missing: "Missing role ID" },
  schema: operation({
    operationId: "deleteRole",
    summary: "Delete a role",
    tag: TAG,
    params: ID,
    query: CAS_PARAMETER,
    answer: deleted,
  }),
};

/** The routes of roles. */
export function roleRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const create = async (request: FastifyRequest) => {
      const body = bodyOf(request, roleBody);
      const { ctx, scope } = request;
      const input = inputOf(body);
      // With an ID it is an update, as clients know it.
      const role = body.ID
        ? await updateRole(ctx, scope, body.ID, () => input, casOf(request))
        : await createRole(ctx, scope, input, casOf(request));
      return renderRole(role, renderScope);
    };
    app.put("/acl/role", CREATE, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/role/", { config: { ...CREATE.config, undocumented: true } }, create);
    app.put<ById>("/acl/role/:id", REPLACE, async (request) => {
      const { id } = request.params;
      const body = bodyOf(request, roleBody);
      checkId(id, body.ID);
      const edit = () => inputOf(body);
      return renderRole(await updateRole(request.ctx, request.scope, id, edit, casOf(request)), renderScope);
    });
    app.patch<ById>("/acl/role/:id", PATCH, async (request) => {
      const { id } = request.params;
      const patch = patchOf(request, roleBody);
      checkId(id, patch.ID ?? undefined);
      const edit = (current: RoleInput) => patched(current, patch);
      return renderRole(await updateRole(request.ctx, request.scope, id, edit, casOf(request)), renderScope);
    });
    app.get<ById>("/acl/role/:id", READ, async (request, reply) => {
      await answerIndex(request.ctx, reply, ROLES, request.scope);
      return renderRole(await readRole(request.ctx, request.scope, request.params.id), renderScope);
    });
    app.get<ByName>("/acl/role/name/:name", READ_BY_NAME, async (request, reply) => {
      await answerIndex(request.ctx, reply, ROLES, request.scope);
      return renderRole(await readRoleByName(request.ctx, request.scope, request.params.name), renderScope);
    });
    app.delete<ById>("/acl/role/:id", DELETE, async (request) => {
      await deleteRole(request.ctx, request.scope, request.params.id, casOf(request));
      return true;
    });
    app.get("/acl/roles", LIST, (request, reply) => {
      const { policy = "" } = request.query as Query;
      return answerList(request, reply, {
        table: ROLES,
        list: (page) => listRoles(request.ctx, request.scope, { policy }, page),
        keyOf: (role) => fold(role.name),
        render: (role) => renderRole(role, renderScope),
      });
    });
    done();
  };
}

type ById = { Params: { id: string } };
type ByName = { Params: { name: string } };

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

function checkId(pathId: string, bodyId: string | undefined): void {
  if (bodyId && bodyId.toLowerCase() !== pathId.toLowerCase()) {
    throw new AppError("invalid", "Role ID in URL and payload do not match");
  }
}

function inputOf(body: Static<typeof roleBody>): RoleInput {
  return { ...grantsFrom(body), name: body.Name ?? "", description: body.Description ?? "" };
}

/** What the patch names is replaced, null empties it, all else stays. */
function patched(current: RoleInput, patch: MergePatch<Static<typeof roleBody>>): RoleInput {
  const { Name = current.name, Description = current.description } = patch;
  return { ...patchGrants(current, patch), name: Name ?? "", description: Description ?? "" };
}

import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf, type MergePatch } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { undocumented } from "../../http/v1/operation.ts";
import type { Query } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { type Found, paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { objectOperations } from "../operations.ts";
import type { RenderScope } from "../render-scope.ts";
import { grantsFrom, patchGrants } from "../schema.ts";
import { POLICIES } from "../policies/lookup.ts";
import { ROLES } from "./lookup.ts";
import { renderRole, roleAnswer, roleBody, roleListAnswer } from "./schema.ts";
import {
  createRole,
  deleteRole,
  listRoles,
  readRole,
  readRoleByName,
  updateRole,
  type LinkedRole,
  type RoleInput,
} from "./service.ts";

const OPERATIONS = objectOperations({
  noun: "role",
  plural: "roles",
  prefix: "Role decoding failed: ",
  key: "id",
  keyName: "ID",
  order: "names",
  body: roleBody,
  answer: roleAnswer,
  listAnswer: roleListAnswer,
  filters: { policy: "Only roles that link to the policy with this ID." },
});

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
    app.put("/acl/role", OPERATIONS.create, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/role/", undocumented(OPERATIONS.create), create);
    app.put<ById>("/acl/role/:id", OPERATIONS.replace, async (request) => {
      const { id } = request.params;
      const body = bodyOf(request, roleBody);
      checkId(id, body.ID);
      const edit = () => inputOf(body);
      return renderRole(await updateRole(request.ctx, request.scope, id, edit, casOf(request)), renderScope);
    });
    app.patch<ById>("/acl/role/:id", OPERATIONS.patch, async (request) => {
      const { id } = request.params;
      const patch = patchOf(request, roleBody);
      checkId(id, patch.ID ?? undefined);
      const edit = (current: RoleInput) => patched(current, patch);
      return renderRole(await updateRole(request.ctx, request.scope, id, edit, casOf(request)), renderScope);
    });
    const found = (role: LinkedRole): Found => ({ key: role.id, value: renderRole(role, renderScope) });
    const byId = serveObject({
      ...READ,
      keyOf: (request) => paramsOf<ById>(request).id.toLowerCase(),
      find: async (request) => found(await readRole(request.ctx, request.scope, paramsOf<ById>(request).id)),
    });
    app.get("/acl/role/:id", OPERATIONS.read, byId);
    const byName = serveObject({
      ...READ,
      find: async (request) => found(await readRoleByName(request.ctx, request.scope, paramsOf<ByName>(request).name)),
    });
    app.get("/acl/role/name/:name", OPERATIONS.readByName, byName);
    app.delete<ById>("/acl/role/:id", OPERATIONS.delete, async (request) => {
      await deleteRole(request.ctx, request.scope, request.params.id, casOf(request));
      return true;
    });
    const list = serveList({
      ...READ,
      of({ ctx, scope, query }) {
        const { policy = "" } = query as Query;
        return {
          ...listRoles(ctx, scope, { policy }),
          render: (role: LinkedRole) => renderRole(role, renderScope),
        };
      },
    });
    app.get("/acl/roles", OPERATIONS.list, list);
    done();
  };
}

/** They show the names of policies. */
const READ = { tables: [ROLES, POLICIES], sharing: "kept" } as const;

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

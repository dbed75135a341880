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
import { POLICIES } from "./lookup.ts";
import { policyAnswer, policyBody, policyListAnswer, renderPolicy, renderPolicyStub } from "./schema.ts";
import {
  createPolicy,
  deletePolicy,
  listPolicies,
  readPolicy,
  readPolicyByName,
  updatePolicy,
  type Policy,
  type PolicyInput,
  type WriteOptions,
} from "./service.ts";

const OPERATIONS = objectOperations({
  noun: "policy",
  plural: "policies",
  prefix: "Policy decoding failed: ",
  key: "id",
  keyName: "ID",
  order: "names",
  body: policyBody,
  answer: policyAnswer,
  listAnswer: policyListAnswer,
  filters: {},
});

/** The routes of policies. */
export function policyRoutes(renderScope: RenderScope, edition: WriteOptions["edition"]): V1Routes {
  const optionsOf = (request: FastifyRequest): WriteOptions => ({ cas: casOf(request), edition });
  return (app, _options, done) => {
    const create = async (request: FastifyRequest) => {
      const body = bodyOf(request, policyBody);
      if (body.ID) throw new AppError("invalid", "Cannot specify the ID when creating a new policy");
      return renderPolicy(
        await createPolicy(request.ctx, request.scope, inputOf(body), optionsOf(request)),
        renderScope,
      );
    };
    app.put("/acl/policy", OPERATIONS.create, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/policy/", undocumented(OPERATIONS.create), create);
    app.put<ById>("/acl/policy/:id", OPERATIONS.replace, async (request) => {
      const { id } = request.params;
      const body = bodyOf(request, policyBody);
      checkId(id, body.ID);
      const change = { rules: body.Rules ?? "", edit: () => inputOf(body) };
      return renderPolicy(await updatePolicy(request.ctx, request.scope, id, change, optionsOf(request)), renderScope);
    });
    app.patch<ById>("/acl/policy/:id", OPERATIONS.patch, async (request) => {
      const { id } = request.params;
      const patch = patchOf(request, policyBody);
      checkId(id, patch.ID ?? undefined);
      const change = {
        rules: "Rules" in patch ? (patch.Rules ?? "") : undefined,
        edit: (current: PolicyInput) => patched(current, patch),
      };
      return renderPolicy(await updatePolicy(request.ctx, request.scope, id, change, optionsOf(request)), renderScope);
    });
    const found = (policy: Policy): Found => ({ key: policy.id, value: renderPolicy(policy, renderScope) });
    const byId = serveObject({
      ...READ,
      keyOf: (request) => paramsOf<ById>(request).id.toLowerCase(),
      find: async (request) => found(await readPolicy(request.ctx, request.scope, paramsOf<ById>(request).id)),
    });
    app.get("/acl/policy/:id", OPERATIONS.read, byId);
    // A name may hold slashes, which not every client escapes.
    const byName = serveObject({
      ...READ,
      find: async (request) =>
        found(await readPolicyByName(request.ctx, request.scope, nameOf(paramsOf<ByName>(request)))),
    });
    app.get("/acl/policy/name/*", OPERATIONS.readByName, byName);
    app.delete<ById>("/acl/policy/:id", OPERATIONS.delete, async (request) => {
      await deletePolicy(request.ctx, request.scope, request.params.id, casOf(request));
      return true;
    });
    const list = serveList({
      ...READ,
      of: ({ ctx, scope }) => ({
        ...listPolicies(ctx, scope),
        render: (policy: Policy) => renderPolicyStub(policy, renderScope),
      }),
    });
    app.get("/acl/policies", OPERATIONS.list, list);
    done();
  };
}

const READ = { tables: [POLICIES], sharing: "kept" } as const;

type ById = { Params: { id: string } };
type ByName = { Params: { "*": string } };

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

/** Go clients escape a name twice. The slash is the only character of a name that they escape. */
function nameOf(params: ByName["Params"]): string {
  return params["*"].replaceAll(/%2f/gi, "/");
}

function checkId(pathId: string, bodyId: string | undefined): void {
  if (bodyId && bodyId.toLowerCase() !== pathId.toLowerCase()) {
    throw new AppError("invalid", "Policy ID in URL and payload do not match");
  }
}

function inputOf({
  Name = "",
  Description = "",
  Rules = "",
  Datacenters = [],
}: Static<typeof policyBody>): PolicyInput {
  return { name: Name, description: Description, rules: Rules, datacenters: Datacenters };
}

/** What the patch names is replaced, null empties it, all else stays. */
function patched(current: PolicyInput, patch: MergePatch<Static<typeof policyBody>>): PolicyInput {
  const { Name = current.name, Description = current.description } = patch;
  const { Rules = current.rules, Datacenters = current.datacenters } = patch;
  return { name: Name ?? "", description: Description ?? "", rules: Rules ?? "", datacenters: Datacenters ?? [] };
}

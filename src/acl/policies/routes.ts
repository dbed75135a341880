import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf, type MergePatch } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import type { Query } from "../../http/query.ts";
import { answerIndex, answerList } from "../listing.ts";
import type { RenderScope } from "../render-scope.ts";
import { fold } from "../rules/fold.ts";
import { POLICIES } from "./lookup.ts";
import { policyBody, renderPolicy, renderPolicyStub } from "./schema.ts";
import {
  createPolicy,
  deletePolicy,
  listPolicies,
  readPolicy,
  readPolicyByName,
  updatePolicy,
  type PolicyInput,
} from "./service.ts";

const PREFIX = "Policy decoding failed: ";
const WRITE = { config: { body: { schema: policyBody, prefix: PREFIX } } };
const PATCH = { config: { body: { schema: policyBody, prefix: PREFIX, patch: true as const } } };
const READ = { config: { read: true, missing: "Missing policy ID" } };
const READ_BY_NAME = { config: { read: true, missing: "Missing policy Name" } };
const LIST = { config: { read: true } };
const DELETE = { config: { missing: "Missing policy ID" } };

/** The routes of policies. */
export function policyRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.put("/acl/policy", WRITE, async (request) => {
      const body = bodyOf(request, policyBody);
      if (body.ID) throw new AppError("invalid", "Cannot specify the ID when creating a new policy");
      return renderPolicy(await createPolicy(request.ctx, request.scope, inputOf(body), casOf(request)), renderScope);
    });
    app.put<ById>("/acl/policy/:id", WRITE, async (request) => {
      const { id } = request.params;
      const body = bodyOf(request, policyBody);
      checkId(id, body.ID);
      const edit = () => inputOf(body);
      return renderPolicy(await updatePolicy(request.ctx, request.scope, id, edit, casOf(request)), renderScope);
    });
    app.patch<ById>("/acl/policy/:id", PATCH, async (request) => {
      const { id } = request.params;
      const patch = patchOf(request, policyBody);
      checkId(id, patch.ID ?? undefined);
      const edit = (current: PolicyInput) => patched(current, patch);
      return renderPolicy(await updatePolicy(request.ctx, request.scope, id, edit, casOf(request)), renderScope);
    });
    app.get<ById>("/acl/policy/:id", READ, async (request, reply) => {
      await answerIndex(request.ctx, reply, POLICIES, request.scope);
      return renderPolicy(await readPolicy(request.ctx, request.scope, request.params.id), renderScope);
    });
    app.get<ByName>("/acl/policy/name/:name", READ_BY_NAME, async (request, reply) => {
      await answerIndex(request.ctx, reply, POLICIES, request.scope);
      return renderPolicy(await readPolicyByName(request.ctx, request.scope, request.params.name), renderScope);
    });
    app.delete<ById>("/acl/policy/:id", DELETE, async (request) => {
      await deletePolicy(request.ctx, request.scope, request.params.id, casOf(request));
      return true;
    });
    app.get("/acl/policies", LIST, (request, reply) =>
      answerList(request, reply, {
        table: POLICIES,
        list: (page) => listPolicies(request.ctx, request.scope, page),
        keyOf: (policy) => fold(policy.name),
        render: (policy) => renderPolicyStub(policy, renderScope),
      }),
    );
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
    throw new AppError("invalid", "Policy ID in URL and payload do not match");
  }
}

function inputOf({ Name = "", Description = "", Rules = "", Datacenters = [] }: Static<typeof policyBody>): PolicyInput {
  return { name: Name, description: Description, rules: Rules, datacenters: Datacenters };
}

/** What the patch names is replaced, null empties it, all else stays. */
function patched(current: PolicyInput, patch: MergePatch<Static<typeof policyBody>>): PolicyInput {
  const { Name = current.name, Description = current.description } = patch;
  const { Rules = current.rules, Datacenters = current.datacenters } = patch;
  return { name: Name ?? "", description: Description ?? "", rules: Rules ?? "", datacenters: Datacenters ?? [] };
}

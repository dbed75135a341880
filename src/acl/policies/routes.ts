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
import { POLICIES } from "./lookup.ts";
import { policyAnswer, policyBody, policyListAnswer, renderPolicy, renderPolicyStub } from "./schema.ts";
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
const TAG = "Policies";
const BODY = { schema: policyBody, prefix: PREFIX };
const ID = { id: "ID of the policy." };
const CREATE = {
  config: { body: BODY },
  schema: operation({
    operationId: "createPolicy",
    summary: "Create a policy",
    tag: TAG,
    query: CAS_PARAMETER,
    answer: policyAnswer,
  }),
};
const REPLACE = {
  config: { body: BODY },
  schema: operation({
    operationId: "replacePolicy",
    summary: "Replace a policy as a whole",
    tag: TAG,
    params: ID,
    query: CAS_PARAMETER,
    answer: policyAnswer,
  }),
};
const PATCH = {
  config: { body: { ...BODY, patch: true as const } },
  schema: operation({
    operationId: "updatePolicy",
    summary: "Change the members of a policy that the body names (JSON Merge Patch)",
    tag: TAG,
    params: ID,
    query: CAS_PARAMETER,
    answer: policyAnswer,
  }),
};
const READ = {
  config: { read: true, missing: "Missing policy ID" },
  schema: operation({
    operationId: "readPolicy",
    summary: "Read a policy",
    tag: TAG,
    params: ID,
    answer: policyAnswer,
  }),
};
const READ_BY_NAME = {
  config: { read: true, missing: "Missing policy Name" },
  schema: operation({
    operationId: "readPolicyByName",
    summary: "Read a policy by its name, in any case",
    tag: TAG,
    params: { name: "Name of the policy." },
    answer: policyAnswer,
  }),
};
const LIST = {
  config: { read: true },
  schema: operation({
    operationId: "listPolicies",
    summary: "List policies in order of their names",
    tag: TAG,
    query: PAGE_PARAMETERS,
    answer: policyListAnswer,
  }),
};
const DELETE = {
  config: { missing: "Missing policy ID" },
  schema: operation({
    operationId: "deletePolicy",
    summary: "Delete a policy",
    tag: TAG,
    params: ID,
    query: CAS_PARAMETER,
    answer: deleted,
  }),
};

/** The routes of policies. */
export function policyRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const create = async (request: FastifyRequest) => {
      const body = bodyOf(request, policyBody);
      if (body.ID) throw new AppError("invalid", "Cannot specify the ID when creating a new policy");
      return renderPolicy(await createPolicy(request.ctx, request.scope, inputOf(body), casOf(request)), renderScope);
    };
    app.put("/acl/policy", CREATE, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/policy/", { config: { ...CREATE.config, undocumented: true } }, create);
    app.put<ById>("/acl/policy/:id", REPLACE, async (request) => {
      const { id } = request.params;
      const body = bodyOf(request, policyBody);
      checkId(id, body.ID);
      const change = { rules: body.Rules ?? "", edit: () => inputOf(body) };
      return renderPolicy(await updatePolicy(request.ctx, request.scope, id, change, casOf(request)), renderScope);
    });
    app.patch<ById>("/acl/policy/:id", PATCH, async (request) => {
      const { id } = request.params;
      const patch = patchOf(request, policyBody);
      checkId(id, patch.ID ?? undefined);
      const change = {
        rules: "Rules" in patch ? (patch.Rules ?? "") : undefined,
        edit: (current: PolicyInput) => patched(current, patch),
      };
      return renderPolicy(await updatePolicy(request.ctx, request.scope, id, change, casOf(request)), renderScope);
    });
    app.get<ById>("/acl/policy/:id", READ, async (request, reply) => {
      await answerIndex(request.ctx, reply, POLICIES, request.scope);
      return renderPolicy(await readPolicy(request.ctx, request.scope, request.params.id), renderScope);
    });
    app.get<ByName>("/acl/policy/name/:name", READ_BY_NAME, async (request, reply) => {
      await answerIndex(request.ctx, reply, POLICIES, request.scope);
      return renderPolicy(await readPolicyByName(request.ctx, request.scope, nameOf(request.params)), renderScope);
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

/** Go clients escape a name twice. The slash is the only character of a name that they escape. */
function nameOf({ name }: ByName["Params"]): string {
  return name.replaceAll(/%2f/gi, "/");
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

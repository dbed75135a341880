import { Type } from "typebox";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation } from "../../http/v1/operation.ts";
import { policyAnswer } from "../policies/schema.ts";
import { previewTemplatedPolicy, listTemplatedPolicies, readTemplatedPolicy } from "./service.ts";
import type { PolicyTemplate } from "./templates.ts";

const variables = Type.Object({ Name: Type.Optional(Type.String()) }, { examples: [{ Name: "web" }] });
const TAG = "Policies";
const NAME = { name: "Name, such as `builtin/service`; the slash needs no escape." };
const EXAMPLE = {
  TemplateName: "builtin/dns",
  Schema: "",
  Template: 'node_prefix "" {\n  policy = "read"\n}\n',
  Description: "Gives the token or role permissions for the DNS to resolve services, nodes and prepared queries.",
};
const TEMPLATE_MEMBERS = {
  TemplateName: Type.String(),
  Schema: Type.String({ description: "JSON schema of the variables; empty without variables." }),
  Template: Type.String(),
  Description: Type.String(),
};
const templateAnswer = Type.Object(TEMPLATE_MEMBERS, { description: "The templated policy.", examples: [EXAMPLE] });
const templateMap = Type.Record(Type.String(), Type.Object(TEMPLATE_MEMBERS), {
  description: "The templated policies.",
  examples: [{ [EXAMPLE.TemplateName]: EXAMPLE }],
});

/** The routes of templated policies. */
export const templatedPolicyRoutes: V1Routes = (app, _options, done) => {
  const list = operation({
    operationId: "listTemplatedPolicies",
    summary: "List templated policies",
    tag: TAG,
    answer: templateMap,
  });
  app.get("/acl/templated-policies", { schema: list }, async (request) =>
    Object.fromEntries(
      listTemplatedPolicies(request.ctx, request.scope).map((template) => [template.name, renderTemplate(template)]),
    ),
  );
  // Names hold a slash: what follows is the name as it stands.
  const read = operation({
    operationId: "readTemplatedPolicy",
    summary: "Read a templated policy",
    tag: TAG,
    params: NAME,
    answer: templateAnswer,
  });
  app.get<Named>("/acl/templated-policy/name/*", { config: MISSING, schema: read }, async (request) =>
    renderTemplate(readTemplatedPolicy(request.ctx, request.scope, request.params["*"])),
  );
  const preview = operation({
    operationId: "previewTemplatedPolicy",
    summary: "Preview the policy of a template",
    tag: TAG,
    params: NAME,
    answer: policyAnswer,
  });
  const config = {
    ...MISSING,
    body: { schema: variables, prefix: "Failed to decode request body: ", optional: true as const },
  };
  app.post<Named>("/acl/templated-policy/preview/*", { config, schema: preview }, async (request) => {
    const { Name } = bodyOf(request, variables);
    const policy = previewTemplatedPolicy(request.ctx, request.scope, request.params["*"], Name);
    return {
      ID: policy.id,
      Name: policy.name,
      Description: policy.description,
      Rules: policy.rules,
      Hash: policy.hash,
      CreateIndex: 0,
      ModifyIndex: 0,
    };
  });
  done();
};

type Named = { Params: { "*": string } };

const MISSING = { missing: "Missing templated policy Name" };

function renderTemplate({ name, schema, text, description }: PolicyTemplate) {
  return { TemplateName: name, Schema: schema, Template: text, Description: description };
}

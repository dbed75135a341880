import { Type } from "typebox";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { previewTemplatedPolicy, listTemplatedPolicies, readTemplatedPolicy } from "./service.ts";
import type { Template } from "./templates.ts";

const variables = Type.Object({ Name: Type.Optional(Type.String()) });
const TAGS = ["Access control"];

/** The routes of templated policies. */
export const templatedPolicyRoutes: V1Routes = (app, _options, done) => {
  const list = { operationId: "listTemplatedPolicies", summary: "All templated policies, by name", tags: TAGS };
  app.get("/acl/templated-policies", { schema: list }, async (request) =>
    Object.fromEntries(listTemplatedPolicies(request.ctx).map((template) => [template.name, renderTemplate(template)])),
  );
  // Names hold a slash: what follows is the name as it stands.
  const read = { operationId: "readTemplatedPolicy", summary: "One templated policy", tags: TAGS };
  app.get<Named>("/acl/templated-policy/name/*", { config: MISSING, schema: read }, async (request) =>
    renderTemplate(readTemplatedPolicy(request.ctx, request.params["*"])),
  );
  const preview = { operationId: "previewTemplatedPolicy", summary: "The policy that a template gives", tags: TAGS };
  const config = {
    ...MISSING,
    body: { schema: variables, prefix: "Failed to decode request body: ", optional: true as const },
  };
  app.post<Named>("/acl/templated-policy/preview/*", { config, schema: preview }, async (request) => {
    const { Name } = bodyOf(request, variables);
    const policy = previewTemplatedPolicy(request.ctx, request.params["*"], Name);
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

function renderTemplate({ name, schema, text, description }: Template) {
  return { TemplateName: name, Schema: schema, Template: text, Description: description };
}

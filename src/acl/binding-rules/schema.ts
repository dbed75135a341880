import { Type, type Static } from "typebox";
import { freeText, oneOf, READ_ONLY_INDEXES } from "../../http/v1/body-schema.ts";
import type { MergePatch } from "../../http/v1/body.ts";
import { SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { patchedBy } from "../kit/object-routes.ts";
import { BIND_TYPES } from "../bindings/binding.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import type { BindingRule, BindingRuleInput } from "./service.ts";

const EXAMPLE = {
  ID: "000ed53c-e2d3-e7e6-31a5-c19bc3518a3d",
  Description: "Deployments of the web service",
  AuthMethod: "github-actions",
  Selector: 'value.repository == "example/web"',
  BindType: "role",
  BindName: "web-deployers",
  Namespace: "default",
  Partition: "default",
  CreateIndex: 17,
  ModifyIndex: 17,
};

const text = Type.Optional(Type.String());
const MEMBERS = {
  ID: text,
  Description: Type.Optional(freeText()),
  AuthMethod: text,
  Selector: text,
  BindType: Type.Optional(oneOf(BIND_TYPES)),
  BindName: text,
  BindVars: Type.Optional(Type.Object({ Name: text })),
  ...SCOPE_MEMBERS,
  ...READ_ONLY_INDEXES,
};

const { ID: _id, CreateIndex: _created, ModifyIndex: _modified, ...BODY } = EXAMPLE;
export const RULE_EXAMPLE = BODY;

export const bindingRuleBody = Type.Object(MEMBERS, { title: "BindingRuleBody", examples: [RULE_EXAMPLE] });

const SHOWN = {
  ID: Type.String(),
  Description: Type.String(),
  AuthMethod: Type.String(),
  Selector: text,
  BindType: oneOf(BIND_TYPES),
  BindName: Type.String(),
  BindVars: Type.Optional(Type.Object({ Name: text })),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};

export const bindingRuleAnswer = Type.Object(SHOWN, {
  title: "BindingRule",
  description: "Binding rule. Without a `Selector`, it matches all identities.",
  examples: [EXAMPLE],
});

type Body = Static<typeof bindingRuleBody>;

export function inputFrom(body: Body): BindingRuleInput {
  return {
    authMethod: body.AuthMethod ?? "",
    description: body.Description ?? "",
    selector: body.Selector ?? "",
    bindType: body.BindType ?? "",
    bindName: body.BindName ?? "",
    bindVars: body.BindVars && { name: body.BindVars.Name },
  };
}

/** Applies a JSON Merge Patch, also inside `BindVars`. */
export function patched(current: BindingRuleInput, patch: MergePatch<Body>): BindingRuleInput {
  const { BindVars } = patch;
  const bindVars = BindVars === undefined ? current.bindVars : patchedVars(current.bindVars, BindVars);
  return { ...patchedBy(inputFrom)(current, patch), bindVars };
}

function patchedVars(current: BindingRuleInput["bindVars"], patch: MergePatch<{ Name?: string }> | null) {
  if (patch === null) return undefined;
  const { Name = current?.name } = patch;
  return { name: Name ?? undefined };
}

export function renderBindingRule(bindingRule: BindingRule, renderScope: RenderScope) {
  return {
    ID: bindingRule.id,
    Description: bindingRule.description,
    AuthMethod: bindingRule.authMethod,
    Selector: bindingRule.selector || undefined,
    BindType: bindingRule.bindType,
    BindName: bindingRule.bindName,
    BindVars: bindingRule.bindVars && { Name: bindingRule.bindVars.name },
    ...renderScope(bindingRule.scope),
    CreateIndex: bindingRule.createIndex,
    ModifyIndex: bindingRule.modifyIndex,
  };
}

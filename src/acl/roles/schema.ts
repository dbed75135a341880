import { Type } from "typebox";
import { READ_ONLY_MEMBERS } from "../../http/v1/body-schema.ts";
import { SHOWN_GRANTS, SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { orUndefined, renderIdentities, renderLinks } from "../kit/render.ts";
import { GRANT_MEMBERS, SCOPE_MEMBERS } from "../kit/schema.ts";
import { textSchema } from "../kit/text-schema.ts";
import type { LinkedRole } from "./service.ts";

const EXAMPLE = {
  ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598",
  Name: "web-team",
  Description: "Everybody who runs the web service",
  Policies: [{ ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11", Name: "web" }],
  ServiceIdentities: [{ ServiceName: "web" }],
  Hash: "c7hIcI8u35f6rFq2TekUmIQ6V8QUVbxHrRk5Y6EmdSQ=",
  CreateIndex: 4,
  ModifyIndex: 4,
};

export const ROLE_TEXTS = textSchema("role");

const MEMBERS = {
  ID: Type.Optional(Type.String()),
  Name: Type.Optional(Type.String()),
  ...ROLE_TEXTS.body,
  ...GRANT_MEMBERS,
  ...SCOPE_MEMBERS,
  ...READ_ONLY_MEMBERS,
};

export const roleBody = Type.Object(MEMBERS, {
  title: "RoleBody",
  examples: [{ Name: EXAMPLE.Name, Policies: [{ Name: "web" }], ServiceIdentities: EXAMPLE.ServiceIdentities }],
});

/** A role in an answer. */
export const SHOWN_ROLE = {
  ID: Type.String(),
  Name: Type.String(),
  ...ROLE_TEXTS.shown,
  ...SHOWN_GRANTS,
  Hash: Type.String(),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};

export const roleAnswer = Type.Object(SHOWN_ROLE, { title: "Role", description: "The role.", examples: [EXAMPLE] });

export function renderRole(role: LinkedRole, renderScope: RenderScope) {
  return {
    ID: role.id,
    Name: role.name,
    ...ROLE_TEXTS.render(role),
    Policies: orUndefined(renderLinks(role.policies)),
    ...renderIdentities(role),
    Hash: role.hash,
    ...renderScope(role.scope),
    CreateIndex: role.createIndex,
    ModifyIndex: role.modifyIndex,
  };
}

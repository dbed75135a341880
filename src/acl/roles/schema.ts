import { Type } from "typebox";
import { READ_ONLY_MEMBERS } from "../../http/v1/body-schema.ts";
import type { RenderScope } from "../render-scope.ts";
import { GRANT_MEMBERS, renderIdentities, renderLinks, SCOPE_MEMBERS } from "../schema.ts";
import type { LinkedRole } from "./service.ts";

export const roleBody = Type.Object({
  ID: Type.Optional(Type.String()),
  Name: Type.Optional(Type.String()),
  Description: Type.Optional(Type.String()),
  ...GRANT_MEMBERS,
  ...SCOPE_MEMBERS,
  ...READ_ONLY_MEMBERS,
});

export function renderRole(role: LinkedRole, renderScope: RenderScope) {
  return {
    ID: role.id,
    Name: role.name,
    Description: role.description,
    Policies: renderLinks(role.policies),
    ...renderIdentities(role),
    Hash: role.hash,
    ...renderScope(role.scope),
    CreateIndex: role.createIndex,
    ModifyIndex: role.modifyIndex,
  };
}

import { Type } from "typebox";
import { goDuration, goTime, READ_ONLY_MEMBERS } from "../../http/v1/body-schema.ts";
import type { RenderScope } from "../render-scope.ts";
import { GRANT_MEMBERS, linksSchema, renderIdentities, renderLinks, SCOPE_MEMBERS } from "../schema.ts";
import type { LinkedToken } from "./service.ts";

export const tokenBody = Type.Object({
  AccessorID: Type.Optional(Type.String()),
  SecretID: Type.Optional(Type.String()),
  Description: Type.Optional(Type.String()),
  Roles: Type.Optional(linksSchema),
  ...GRANT_MEMBERS,
  Local: Type.Optional(Type.Boolean()),
  AuthMethod: Type.Optional(Type.String()),
  AuthMethodNamespace: Type.Optional(Type.String()),
  ExpirationTime: Type.Optional(goTime()),
  ExpirationTTL: Type.Optional(goDuration()),
  CreateTime: Type.Optional(goTime()),
  ...SCOPE_MEMBERS,
  ...READ_ONLY_MEMBERS,
});

export const bootstrapBody = Type.Object({ BootstrapSecret: Type.Optional(Type.String()) });

export function renderToken(token: LinkedToken, renderScope: RenderScope) {
  return {
    AccessorID: token.accessorId,
    SecretID: token.secretId,
    Description: token.description,
    Policies: renderLinks(token.policies),
    Roles: renderLinks(token.roles),
    ...renderIdentities(token),
    Local: token.isLocal,
    AuthMethod: token.authMethod === "" ? undefined : token.authMethod,
    ExpirationTime: token.expirationTime === "" ? undefined : withoutZeros(token.expirationTime),
    CreateTime: withoutZeros(token.createTime),
    Hash: token.hash,
    ...renderScope(token.scope),
    CreateIndex: token.createIndex,
    ModifyIndex: token.modifyIndex,
  };
}

/** Times are shown without zeros at the end of their fraction, as Go writes them. */
function withoutZeros(time: string): string {
  if (!time.endsWith("0Z") || !time.includes(".")) return time;
  return `${time.slice(0, -1).replace(/\.?0+$/, "")}Z`;
}

/** A token as answers show it. */
import { orUndefined, renderIdentities, renderLinks } from "../kit/render.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { LinkedToken } from "./linked.ts";

export function renderToken(token: LinkedToken, renderScope: RenderScope) {
  return {
    AccessorID: token.accessorId,
    SecretID: token.secretId,
    Description: token.description,
    Policies: orUndefined(renderLinks(token.policies)),
    Roles: orUndefined(renderLinks(token.roles)),
    ...renderIdentities(token),
    Local: token.isLocal,
    AuthMethod: token.authMethod || undefined,
    AuthMethodNamespace: methodNamespace(token, renderScope),
    ExpirationTime: token.expirationTime === "" ? undefined : withoutZeros(token.expirationTime),
    CreateTime: withoutZeros(token.createdAt),
    LastUsed: token.lastUsed === "" ? undefined : withoutZeros(token.lastUsed),
    DisabledTime: token.disabledAt === "" ? undefined : withoutZeros(token.disabledAt),
    Hash: token.hash,
    ...renderScope(token.scope),
    CreateIndex: token.createIndex,
    ModifyIndex: token.modifyIndex,
  };
}

/**
 * The same as JSON, before escapes of HTML. A list is mostly this: to have an object made into text takes three times as long. What `renderToken`
 * makes of a token decides; a test holds both together.
 */
export function tokenText(token: LinkedToken, renderScope: RenderScope): string {
  const { serviceIdentities, nodeIdentities, templatedPolicies, policies, roles, authMethod } = token;
  const { accessorId, secretId, description, expirationTime, lastUsed, disabledAt, hash, createIndex, modifyIndex } =
    token;
  const hasIdentities = serviceIdentities.length > 0 || nodeIdentities.length > 0 || templatedPolicies.length > 0;
  const shown = renderScope(token.scope);
  return `{"AccessorID":"${accessorId}","SecretID":${JSON.stringify(secretId)},"Description":${JSON.stringify(description)}${
    policies.length > 0 ? `,"Policies":[${linksText(policies)}]` : ""
  }${roles.length > 0 ? `,"Roles":[${linksText(roles)}]` : ""}${
    hasIdentities ? `,${JSON.stringify(renderIdentities(token)).slice(1, -1)}` : ""
  },"Local":${token.isLocal}${authMethod === "" ? "" : methodText(token, renderScope)}${
    expirationTime === "" ? "" : `,"ExpirationTime":${JSON.stringify(withoutZeros(expirationTime))}`
  },"CreateTime":"${withoutZeros(token.createdAt)}"${
    lastUsed === "" ? "" : `,"LastUsed":"${withoutZeros(lastUsed)}"`
  }${disabledAt === "" ? "" : `,"DisabledTime":"${withoutZeros(disabledAt)}"`},"Hash":"${hash}"${
    shown === undefined ? "" : `,"Namespace":"${shown.Namespace}","Partition":"${shown.Partition}"`
  },"CreateIndex":${createIndex},"ModifyIndex":${modifyIndex}}`;
}

function linksText(links: LinkedToken["policies"]): string {
  let text = "";
  for (const { id, name } of links) text += `${text === "" ? "" : ","}{"ID":"${id}","Name":${JSON.stringify(name)}}`;
  return text;
}

function methodText(token: LinkedToken, renderScope: RenderScope): string {
  const namespace = methodNamespace(token, renderScope);
  const where = namespace === undefined ? "" : `,"AuthMethodNamespace":${JSON.stringify(namespace)}`;
  return `,"AuthMethod":${JSON.stringify(token.authMethod)}${where}`;
}

function methodNamespace({ authMethod, authMethodNamespace, scope }: LinkedToken, renderScope: RenderScope) {
  return authMethod === "" ? undefined : renderScope({ ...scope, namespace: authMethodNamespace })?.Namespace;
}

/** Times are shown without zeros at the end of their fraction, as Go writes them. */
function withoutZeros(time: string): string {
  if (!time.endsWith("0Z") || !time.includes(".")) return time;
  return `${time.slice(0, -1).replace(/\.?0+$/, "")}Z`;
}

import { Type } from "typebox";
import { READ_ONLY_MEMBERS } from "../../http/v1/body-schema.ts";
import type { RenderScope } from "../render-scope.ts";
import { SCOPE_MEMBERS } from "../schema.ts";
import type { Policy } from "./service.ts";

export const policyBody = Type.Object({
  ID: Type.Optional(Type.String()),
  Name: Type.Optional(Type.String()),
  Description: Type.Optional(Type.String()),
  Rules: Type.Optional(Type.String()),
  Datacenters: Type.Optional(Type.Array(Type.String())),
  ...SCOPE_MEMBERS,
  ...READ_ONLY_MEMBERS,
});

/** A policy as a read answers it. */
export function renderPolicy(policy: Policy, renderScope: RenderScope) {
  return {
    ID: policy.id,
    Name: policy.name,
    Description: policy.description,
    Rules: policy.rules,
    Datacenters: policy.datacenters.length === 0 ? undefined : policy.datacenters,
    Hash: policy.hash,
    ...renderScope(policy.scope),
    CreateIndex: policy.createIndex,
    ModifyIndex: policy.modifyIndex,
  };
}

/** A policy as the list shows it: without rules, and the datacenters always there. */
export function renderPolicyStub(policy: Policy, renderScope: RenderScope) {
  return {
    ...renderPolicy(policy, renderScope),
    Rules: undefined,
    Datacenters: policy.datacenters.length === 0 ? null : policy.datacenters,
  };
}

import { Type, type Static } from "typebox";
import { READ_ONLY_MEMBERS } from "../../http/v1/body-schema.ts";
import { SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { datacentersSchema, SCOPE_MEMBERS } from "../kit/schema.ts";
import { textSchema } from "../kit/text-schema.ts";
import type { ListedPolicy, Policy, PolicyInput } from "./service.ts";

const EXAMPLE = {
  ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11",
  Name: "web",
  Description: "Permissions of the web team",
  Rules: 'service "web" {\n  policy = "write"\n}',
  Hash: "HBPwI6ecSDUAmb6cSBEP+YpcIei3rwul59YgskxDnaE=",
  CreateIndex: 3,
  ModifyIndex: 3,
};

const TEXTS = textSchema("policy");

const MEMBERS = {
  ID: Type.Optional(Type.String()),
  Name: Type.Optional(Type.String()),
  ...TEXTS.body,
  Rules: Type.Optional(Type.String()),
  Datacenters: Type.Optional(datacentersSchema),
  ...SCOPE_MEMBERS,
  ...READ_ONLY_MEMBERS,
};

export const policyBody = Type.Object(MEMBERS, {
  title: "PolicyBody",
  examples: [{ Name: EXAMPLE.Name, Description: EXAMPLE.Description, Rules: EXAMPLE.Rules }],
});

const LISTED = {
  ID: Type.String(),
  Name: Type.String(),
  ...TEXTS.shown,
  Hash: Type.String(),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};

const datacenters = Type.Array(Type.String());

/** A policy in an answer. */
export const SHOWN_POLICY = { ...LISTED, Rules: Type.String(), Datacenters: Type.Optional(datacenters) };

export const policyAnswer = Type.Object(SHOWN_POLICY, {
  title: "Policy",
  description: "The policy.",
  examples: [EXAMPLE],
});

export const policyListAnswer = Type.Array(
  // As a stub, whose datacenters are null where there are none.
  Type.Object({ ...LISTED, Datacenters: Type.Union([datacenters, Type.Null()]) }, { title: "ListedPolicy" }),
  {
    description: "The policies, without their rules.",
    examples: [[{ ...EXAMPLE, Rules: undefined, Datacenters: null }]],
  },
);

export function inputFrom(body: Static<typeof policyBody>): PolicyInput {
  const { Name = "", Rules = "", Datacenters = [] } = body;
  return { name: Name, ...TEXTS.from(body), rules: Rules, datacenters: Datacenters };
}

/** Clients know a hash of 32 bytes; one more is kept, for the grammar of the rules. */
function shownHash(hash: string): string {
  return hash.endsWith("=") ? hash : Buffer.from(hash, "base64").subarray(0, 32).toString("base64");
}

/** A policy as a read answers it. */
export function renderPolicy(policy: Policy, renderScope: RenderScope) {
  return {
    ID: policy.id,
    Name: policy.name,
    ...TEXTS.render(policy),
    Rules: policy.rules,
    Datacenters: policy.datacenters.length === 0 ? undefined : policy.datacenters,
    Hash: shownHash(policy.hash),
    ...renderScope(policy.scope),
    CreateIndex: policy.createIndex,
    ModifyIndex: policy.modifyIndex,
  };
}

/** A policy as the list shows it: without rules, and the datacenters always there. */
export function renderPolicyStub(policy: ListedPolicy, renderScope: RenderScope) {
  return {
    ...renderPolicy({ ...policy, rules: "" }, renderScope),
    Rules: undefined,
    Datacenters: policy.datacenters.length === 0 ? null : policy.datacenters,
  };
}

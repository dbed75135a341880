/**
 * Members of `/v1` answers that policies, roles, tokens and others have alike. Bodies have schemas of their own: what a client
 * may leave out is always there in an answer, and what bounds a body need not bound what the server wrote.
 */
import { Type } from "typebox";

const text = Type.String();

/** Scope of an object; the community edition does not show it. */
export const SHOWN_SCOPE = { Namespace: Type.Optional(text), Partition: Type.Optional(text) };

/** Rule that decides. */
export const decidingRule = Type.Object(
  { Resource: text, Segment: text, Prefix: Type.Optional(Type.Literal(true)), Policy: text },
  { title: "DecidingRule" },
);

/** Members of every stored object. */
export const SHOWN_INDEXES = { CreateIndex: Type.Integer(), ModifyIndex: Type.Integer() };

export const shownLinks = Type.Array(Type.Object({ ID: text, Name: text }, { title: "Link" }));

const datacenters = Type.Optional(Type.Array(text));

/** Grants of tokens and roles; each list is present when it has entries. */
export const SHOWN_GRANTS = {
  Policies: Type.Optional(shownLinks),
  ServiceIdentities: Type.Optional(
    Type.Array(Type.Object({ ServiceName: text, Datacenters: datacenters }, { title: "ServiceIdentity" })),
  ),
  NodeIdentities: Type.Optional(
    Type.Array(Type.Object({ NodeName: text, Datacenter: text }, { title: "NodeIdentity" })),
  ),
  TemplatedPolicies: Type.Optional(
    Type.Array(
      Type.Object(
        {
          TemplateID: Type.Optional(text),
          TemplateName: text,
          // In lower case, as clients know it; in a body any case is read.
          TemplateVariables: Type.Optional(Type.Object({ name: text })),
          Datacenters: datacenters,
        },
        { title: "TemplatedPolicyGrant" },
      ),
    ),
  ),
};

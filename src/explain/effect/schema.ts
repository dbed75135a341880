import { Type, type Static } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { SUBJECTS, type SubjectKind } from "../access/find.ts";
import { SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import { namespaceBody } from "../../acl/namespaces/schema.ts";
import { policyBody } from "../../acl/policies/schema.ts";
import { roleBody } from "../../acl/roles/schema.ts";
import { grantsFrom, linksFrom, linksSchema, SCOPE_MEMBERS } from "../../acl/kit/schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { tokenBody } from "../../acl/tokens/schema.ts";
import type { EffectEntry } from "./find.ts";
import type { Right } from "./points.ts";
import type { DraftInput, GrantsDraft } from "./resolve.ts";
import type { EffectPage } from "./service.ts";

const text = Type.Optional(Type.String());
const deleted = Type.Optional(linksSchema);

/** Objects as they would be written: what is left out stays, and what has to do with no rights is not looked at. */
export const effectBody = Type.Object(
  {
    Policies: Type.Optional(Type.Array(policyBody)),
    Roles: Type.Optional(Type.Array(roleBody)),
    Tokens: Type.Optional(Type.Array(tokenBody)),
    DeletedPolicies: deleted,
    DeletedRoles: deleted,
    Namespaces: Type.Optional(Type.Array(namespaceBody)),
    ...SCOPE_MEMBERS,
  },
  { title: "EffectBody", examples: [{ Policies: [{ Name: "web", Rules: 'service "web" {\n  policy = "read"\n}' }] }] },
);

const right = Type.Object(
  {
    Resource: Type.String(),
    Segment: text,
    Prefix: Type.Optional(
      Type.Literal(true, {
        description: "Whether it applies to all names with this prefix that no other rule matches.",
      }),
    ),
    Access: Type.String(),
    Namespace: text,
    NamespacePrefix: Type.Optional(Type.Literal(true)),
    Partition: text,
    PartitionPrefix: Type.Optional(Type.Literal(true)),
  },
  { title: "Right" },
);

const count = Type.Object({ Gain: Type.Integer(), Lose: Type.Integer() }, { title: "EffectCount" });

const entry = Type.Object(
  {
    Kind: oneOf(SUBJECTS),
    ID: Type.String({ description: "ID; AccessorID of a token." }),
    Name: text,
    Description: Type.Optional(Type.String({ description: "Description of a binding rule." })),
    ...SHOWN_SCOPE,
    Gains: Type.Array(right, { description: "The first 20." }),
    Losses: Type.Array(right, { description: "The first 20." }),
    GainCount: Type.Integer(),
    LossCount: Type.Integer(),
    AuthMethod: text,
    Selector: text,
  },
  { title: "EffectEntry" },
);

export const effectAnswer = Type.Object(
  {
    Complete: Type.Boolean({
      description: "Whether the comparison is complete. At most 256 permissions are compared.",
    }),
    Roles: count,
    BindingRules: count,
    Tokens: count,
    Entries: Type.Array(entry),
  },
  {
    description:
      "Number of subjects that gain or lose permissions, and a page of them. Limited to subjects that the caller may read.",
    examples: [
      {
        Complete: true,
        Roles: { Gain: 0, Lose: 0 },
        BindingRules: { Gain: 0, Lose: 0 },
        Tokens: { Gain: 0, Lose: 1 },
        Entries: [
          {
            Kind: "token",
            ID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3",
            Name: "CI of the first team",
            Gains: [],
            Losses: [{ Resource: "service", Segment: "web", Access: "write" }],
            GainCount: 0,
            LossCount: 1,
          },
        ],
      },
    ],
  },
);

/** Returns the drafts in a request. */
export function draftsFrom(body: Static<typeof effectBody>): DraftInput {
  const { Policies = [], Roles = [], Tokens = [], DeletedPolicies = [], DeletedRoles = [], Namespaces = [] } = body;
  const gone = (links: typeof DeletedPolicies) =>
    links.map(({ ID = "", Name = "" }) => ({ id: ID, name: Name, isDeleted: true }));
  const policies = Policies.map(({ ID = "", Name = "", Rules, Datacenters }) => ({
    id: ID,
    name: Name,
    rules: Rules,
    datacenters: Datacenters ?? undefined,
    isDeleted: false,
  }));
  const roles = Roles.map(({ ID = "", Name = "", ...given }) => ({
    id: ID,
    name: Name,
    isDeleted: false,
    ...draftOf(given),
  }));
  const stays = draftOf({});
  return {
    policies: [
      ...policies,
      ...gone(DeletedPolicies).map((each) => ({ ...each, rules: undefined, datacenters: undefined })),
    ],
    roles: [...roles, ...gone(DeletedRoles).map((each) => ({ ...each, ...stays }))],
    tokens: Tokens.map(({ AccessorID = "", Roles: linked, ...given }) => ({
      accessorId: AccessorID,
      roles: linked && linksFrom(linked),
      ...draftOf(given),
    })),
    namespaces: Namespaces.map(({ Name = "", ACLs }) => ({
      name: Name,
      policies: ACLs?.PolicyDefaults && linksFrom(ACLs.PolicyDefaults),
      roles: ACLs?.RoleDefaults && linksFrom(ACLs.RoleDefaults),
    })),
  };
}

/** Only members that are present are drafted. */
function draftOf(given: Parameters<typeof grantsFrom>[0]): GrantsDraft {
  const { policies, serviceIdentities, nodeIdentities, templatedPolicies } = grantsFrom(given);
  return {
    policies: given.Policies && policies,
    serviceIdentities: given.ServiceIdentities && serviceIdentities,
    nodeIdentities: given.NodeIdentities && nodeIdentities,
    templatedPolicies: given.TemplatedPolicies && templatedPolicies,
  };
}

/** Rights that one entry names. */
const MOST_RIGHTS = 20;

export function renderEffect({ isComplete, counts, entries }: EffectPage, renderScope: RenderScope) {
  const counted = (kind: SubjectKind) => ({ Gain: counts[kind].gain, Lose: counts[kind].lose });
  return {
    Complete: isComplete,
    Roles: counted("role"),
    BindingRules: counted("binding-rule"),
    Tokens: counted("token"),
    Entries: entries.map((each) => renderEntry(each, renderScope)),
  };
}

function renderEntry({ kind, id, name, scope, gains, losses, ...more }: EffectEntry, renderScope: RenderScope) {
  const rights = (all: readonly Right[]) => all.slice(0, MOST_RIGHTS).map((each) => renderRight(each, renderScope));
  return {
    Kind: kind,
    ID: id,
    Name: name || undefined,
    Description: more.description || undefined,
    ...renderScope(scope),
    Gains: rights(gains),
    Losses: rights(losses),
    GainCount: gains.length,
    LossCount: losses.length,
    AuthMethod: more.authMethod,
    Selector: more.selector || undefined,
  };
}

function renderRight({ resource, segment, isPrefix, access, ...where }: Right, renderScope: RenderScope) {
  return {
    Resource: resource,
    Segment: segment || undefined,
    Prefix: isPrefix || undefined,
    Access: access,
    ...renderScope(where),
    NamespacePrefix: where.isNamespacePrefix || undefined,
    PartitionPrefix: where.isPartitionPrefix || undefined,
  };
}

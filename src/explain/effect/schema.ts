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
import type { AccessChange } from "./changes.ts";
import type { CountedChange, EffectEntry } from "./find.ts";
import type { Right } from "./points.ts";
import type { DraftInput, GrantsDraft } from "./resolve.ts";
import type { EffectPage } from "./service.ts";

const text = Type.Optional(Type.String());
const deleted = Type.Optional(linksSchema);

/** Objects as they would be written: what is left out stays, and what has to do with no rights is not looked at. */
export const DRAFT_MEMBERS = {
  Policies: Type.Optional(Type.Array(policyBody)),
  Roles: Type.Optional(Type.Array(roleBody)),
  Tokens: Type.Optional(Type.Array(tokenBody)),
  DeletedPolicies: deleted,
  DeletedRoles: deleted,
  Namespaces: Type.Optional(Type.Array(namespaceBody)),
};

export const effectBody = Type.Object(
  { ...DRAFT_MEMBERS, ...SCOPE_MEMBERS },
  { title: "EffectBody", examples: [{ Policies: [{ Name: "web", Rules: 'service "web" {\n  policy = "read"\n}' }] }] },
);

/** Members that name where a right applies. */
const NAMED = {
  Resource: Type.String(),
  Segment: text,
  Prefix: Type.Optional(
    Type.Literal(true, {
      description: "Whether the permission applies to all names with this prefix that no other rule matches.",
    }),
  ),
};
const PLACED = {
  Namespace: text,
  NamespacePrefix: Type.Optional(Type.Literal(true)),
  Partition: text,
  PartitionPrefix: Type.Optional(Type.Literal(true)),
};

export const right = Type.Object({ ...NAMED, Access: Type.String(), ...PLACED }, { title: "Right" });

const change = Type.Object(
  {
    ID: Type.String({ description: "Value of the parameter `change`." }),
    ...NAMED,
    From: Type.String({ description: "Highest access before, or `deny`." }),
    To: Type.String({ description: "Highest access after, or `deny`." }),
    ...PLACED,
    Roles: Type.Integer(),
    BindingRules: Type.Integer(),
    Tokens: Type.Integer(),
  },
  { title: "AccessChange", description: "Change of the access to a name, and the number of subjects that it affects." },
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
    Changes: Type.Array(Type.Integer(), { description: "Positions in the list `Changes` of the response." }),
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
    ReasonRequested: Type.Boolean({
      description: "Whether the console and `tessera` prompt for a reason: more subjects than `--impact-reason`.",
    }),
    Changes: Type.Array(change, { description: "All changes. Changes that affect the most subjects are first." }),
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
        ReasonRequested: false,
        Changes: [
          {
            ID: "3f786850e387550f",
            Resource: "service",
            Segment: "web",
            From: "write",
            To: "deny",
            Roles: 0,
            BindingRules: 0,
            Tokens: 1,
          },
        ],
        Entries: [
          {
            Kind: "token",
            ID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3",
            Name: "CI of the first team",
            Gains: [],
            Losses: [{ Resource: "service", Segment: "web", Access: "write" }],
            GainCount: 0,
            LossCount: 1,
            Changes: [0],
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

/** @param impactReason number of subjects above which clients prompt for a reason; 0 for never */
export function renderEffect(
  { isComplete, counts, changes, affected, entries }: EffectPage,
  renderScope: RenderScope,
  impactReason: number,
) {
  const positions = new Map(changes.map(({ id }, index) => [id, index]));
  const counted = (kind: SubjectKind) => ({ Gain: counts[kind].gain, Lose: counts[kind].lose });
  return {
    Complete: isComplete,
    Roles: counted("role"),
    BindingRules: counted("binding-rule"),
    Tokens: counted("token"),
    ReasonRequested: impactReason > 0 && affected > impactReason,
    Changes: changes.map((each) => renderChange(each, renderScope)),
    Entries: entries.map((each) => ({
      ...renderEntry(each, renderScope),
      Changes: each.changes.map(({ id }) => positions.get(id) ?? 0),
    })),
  };
}

function renderChange({ id, from, to, subjects, ...name }: CountedChange, renderScope: RenderScope) {
  return {
    ID: id,
    ...renderName(name, renderScope),
    From: from,
    To: to,
    Roles: subjects.role,
    BindingRules: subjects["binding-rule"],
    Tokens: subjects.token,
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

/** A right in the spelling of the wire. */
export function renderRight({ access, ...name }: Right, renderScope: RenderScope) {
  const { Resource, Segment, Prefix, ...where } = renderName(name, renderScope);
  return { Resource, Segment, Prefix, Access: access, ...where };
}

function renderName(
  { resource, segment, isPrefix, ...where }: Omit<AccessChange, "id" | "from" | "to">,
  renderScope: RenderScope,
) {
  return {
    Resource: resource,
    Segment: segment || undefined,
    Prefix: isPrefix || undefined,
    ...renderScope(where),
    NamespacePrefix: where.isNamespacePrefix || undefined,
    PartitionPrefix: where.isPartitionPrefix || undefined,
  };
}

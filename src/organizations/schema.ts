/** Shapes of organizations on the wire. */
import { Type, type Static } from "typebox";
import { linksSchema, pageQuery, paginationSchema } from "../http/pagination-schema.ts";

export const organizationParams = Type.Object({ organization_name: Type.String() });

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);
const flag = (description: string) => Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description }));
const minutes = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()], { description }));

/** Stored and echoed; null goes back to the default. */
const settings = {
  "collaborator-auth-policy": Type.Optional(nullable(Type.Enum(["password", "two_factor_mandatory"]))),
  "session-timeout": minutes("Minutes without activity after which a session ends."),
  "session-remember": minutes("Minutes after which a session ends."),
  "user-tokens-enabled": flag("Echoed. It has no effect: there are no user tokens."),
  "cost-estimation-enabled": flag("Echoed."),
  "stacks-enabled": flag("Echoed."),
  "assessments-enforced": flag("Echoed."),
  "send-passing-statuses-for-untriggered-speculative-plans": flag("Echoed."),
  "aggregated-commit-status-enabled": flag("Echoed."),
  "speculative-plan-management-enabled": flag("Echoed."),
  "allow-force-delete-workspaces": flag("Echoed."),
  "max-ttl-enabled": flag("Echoed."),
  "enforce-hyok": flag("Echoed."),
  "owners-team-saml-role-id": Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  "default-execution-mode": Type.Optional(
    Type.Union([Type.Enum(["remote", "local"]), Type.Null()], {
      description: "What workspaces use unless they or their project say otherwise. There are no agents.",
    }),
  ),
};

const relationships = Type.Optional(
  Type.Object({
    "default-agent-pool": Type.Optional(
      Type.Object(
        { data: Type.Optional(nullable(Type.Object({ type: Type.String(), id: Type.String() }))) },
        { description: "Refused unless null, because there are no agents." },
      ),
    ),
  }),
);

const NAME = "Letters, digits, hyphens and underscores, 90 at most. Unique in any case.";

export const createBody = Type.Object(
  {
    data: Type.Object({
      type: Type.Literal("organizations"),
      id: Type.Optional(Type.String()),
      attributes: Type.Object({ name: Type.String({ description: NAME }), email: Type.String(), ...settings }),
      relationships,
    }),
  },
  {
    examples: [{ data: { type: "organizations", attributes: { name: "acme", email: "platform@acme.example" } } }],
  },
);

export const updateBody = Type.Object(
  {
    data: Type.Object({
      type: Type.Literal("organizations"),
      id: Type.Optional(Type.String()),
      attributes: Type.Optional(
        Type.Object({
          name: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: NAME })),
          email: Type.Optional(nullable(Type.String())),
          ...settings,
        }),
      ),
      relationships,
    }),
  },
  {
    examples: [{ data: { type: "organizations", attributes: { "session-timeout": 20160 } } }],
  },
);

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const listQuery = Type.Object({
  q: optionalText("Text that the name or the email holds, in any case."),
  "q[name]": optionalText("Text that the name holds."),
  "q[email]": optionalText("Text that the email holds."),
  ...pageQuery,
});

export const INCLUDES = ["default_project", "entitlement_set"] as const;

export const readQuery = Type.Object({ include: optionalText("default_project, entitlement_set.") });

const reference = Type.Object({ id: Type.String(), type: Type.String() });
const related = Type.Object({ links: Type.Object({ related: Type.String() }) });

export const organizationResource = Type.Object({
  id: Type.String({ description: "The name." }),
  type: Type.Literal("organizations"),
  attributes: Type.Object(
    {
      name: Type.String(),
      email: Type.String(),
      "external-id": Type.String({ description: "Never changes." }),
      "created-at": Type.String({ format: "date-time" }),
      "default-execution-mode": Type.String(),
      "collaborator-auth-policy": Type.String(),
      "session-timeout": nullable(Type.Integer()),
      "session-remember": nullable(Type.Integer()),
      "user-tokens-enabled": Type.Boolean(),
      permissions: Type.Record(Type.String(), Type.Boolean()),
    },
    { description: "And the other attributes that docs/api/organizations.md lists." },
  ),
  relationships: Type.Object({
    "default-project": Type.Object({ data: reference }),
    "default-agent-pool": Type.Object({ data: Type.Null() }),
    "entitlement-set": Type.Object({ data: reference, links: Type.Object({ related: Type.String() }) }),
    subscription: related,
    "oauth-tokens": related,
    "authentication-token": related,
  }),
  links: Type.Object({ self: Type.String() }),
});

export type OrganizationResource = Static<typeof organizationResource>;

export const entitlementSetResource = Type.Object({
  id: Type.String({ description: "The external id of the organization." }),
  type: Type.Literal("entitlement-sets"),
  attributes: Type.Record(Type.String(), Type.Boolean()),
  links: Type.Object({ self: Type.String() }),
});

export type EntitlementSetResource = Static<typeof entitlementSetResource>;

const PATH = "/api/v2/organizations/acme";

const ORGANIZATION: OrganizationResource = {
  id: "acme",
  type: "organizations",
  attributes: {
    name: "acme",
    email: "platform@acme.example",
    "external-id": "org-Ab3kXyZ12mNoPqRs",
    "created-at": "2026-01-02T03:04:05.678Z",
    "default-execution-mode": "remote",
    "collaborator-auth-policy": "password",
    "session-timeout": null,
    "session-remember": null,
    "user-tokens-enabled": true,
    permissions: { "can-update": true, "can-destroy": true, "can-manage-tags": true },
  },
  relationships: {
    "default-project": { data: { id: "prj-Ab3kXyZ12mNoPqRs", type: "projects" } },
    "default-agent-pool": { data: null },
    "entitlement-set": {
      data: { id: "org-Ab3kXyZ12mNoPqRs", type: "entitlement-sets" },
      links: { related: `${PATH}/entitlement-set` },
    },
    subscription: { links: { related: `${PATH}/subscription` } },
    "oauth-tokens": { links: { related: `${PATH}/oauth-tokens` } },
    "authentication-token": { links: { related: `${PATH}/authentication-token` } },
  },
  links: { self: PATH },
};

export const organizationDocument = Type.Object(
  { data: organizationResource, included: Type.Optional(Type.Array(Type.Unknown())) },
  { description: "The organization.", examples: [{ data: ORGANIZATION }] },
);

export const organizationList = Type.Object(
  {
    data: Type.Array(organizationResource),
    links: Type.Optional(linksSchema),
    meta: Type.Optional(paginationSchema),
  },
  {
    description: "A page of organizations; without page parameters all of them, without links and meta.",
    examples: [{ data: [ORGANIZATION] }],
  },
);

export const entitlementSetDocument = Type.Object(
  { data: entitlementSetResource },
  {
    description: "What the organization may use.",
    examples: [
      {
        data: {
          id: "org-Ab3kXyZ12mNoPqRs",
          type: "entitlement-sets",
          attributes: { operations: false, "state-storage": false, teams: false },
          links: { self: `${PATH}/entitlement-set` },
        },
      },
    ],
  },
);

export const deleted = Type.Null({ description: "It is gone." });

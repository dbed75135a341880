/** Shapes of organizations on the wire. */
import { Type, type Static } from "typebox";
import {
  documentOf,
  INCLUDED,
  linksSchema,
  nullable,
  optional,
  pageQuery,
  paginationSchema,
  parameter,
  related,
  resourceBody,
} from "../http/jsonapi-schema.ts";
import { settingSchemas } from "./settings.ts";

const attributes = {
  ...settingSchemas,
  "default-execution-mode": optional(
    Type.Enum(["remote", "local"]),
    "What workspaces use unless they or their project say otherwise. There are no agents.",
  ),
};

const relationships = Type.Optional(
  Type.Object({
    "default-agent-pool": Type.Optional(
      Type.Object(
        { data: optional(Type.Object({ type: Type.String(), id: Type.String() })) },
        { description: "Refused unless null, because there are no agents." },
      ),
    ),
  }),
);

const NAME = "Letters, digits, hyphens and underscores, 90 at most. Unique in any case.";

export const createBody = resourceBody(
  "organizations",
  {
    attributes: Type.Object({ name: Type.String({ description: NAME }), email: Type.String(), ...attributes }),
    relationships,
  },
  { attributes: { name: "acme", email: "platform@acme.example" } },
);

export const updateBody = resourceBody(
  "organizations",
  {
    attributes: Type.Optional(
      Type.Object({ name: optional(Type.String(), NAME), email: optional(Type.String()), ...attributes }),
    ),
    relationships,
  },
  { attributes: { "session-timeout": 20160 } },
);

export const listQuery = Type.Object({
  q: parameter("Text that the name or the email holds, in any case."),
  "q[name]": parameter("Text that the name holds."),
  "q[email]": parameter("Text that the email holds."),
  ...pageQuery,
});

export const INCLUDES = ["default_project", "entitlement_set"] as const;

export const readQuery = Type.Object({ include: parameter("default_project, entitlement_set.") });

const reference = Type.Object({ id: Type.String(), type: Type.String() });

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
    "entitlement-set": Type.Object({ data: reference, ...related.properties }),
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

export const organizationDocument = documentOf(organizationResource, "The organization.", ORGANIZATION, INCLUDED);

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

export const entitlementSetDocument = documentOf(entitlementSetResource, "What the organization may use.", {
  id: "org-Ab3kXyZ12mNoPqRs",
  type: "entitlement-sets",
  attributes: { operations: false, "state-storage": false, teams: false },
  links: { self: `${PATH}/entitlement-set` },
});

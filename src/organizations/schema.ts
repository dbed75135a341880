/** Shapes of organizations on the wire. */
import { Type } from "typebox";
import {
  defaultAgentPool,
  documentOf,
  EXAMPLE_ACTOR,
  INCLUDED,
  linksSchema,
  mayLack,
  nullable,
  optional,
  pageQuery,
  paginationSchema,
  parameter,
  resourceBody,
  shapeOf,
  titled,
} from "../http/jsonapi/schema.ts";
import { renderEntitlementSet, renderOrganization } from "./render.ts";
import { ATTRIBUTES } from "./attributes.ts";

const settings = Type.Object(
  {
    ...ATTRIBUTES.schemas,
    "default-execution-mode": optional(
      Type.Enum(["remote", "local"]),
      "Default execution mode of workspaces and projects. Agents are not supported.",
    ),
  },
  { title: "OrganizationSettings" },
);

const relationships = Type.Optional(Type.Object({ "default-agent-pool": defaultAgentPool }));

const NAME = "At most 90 letters, digits, hyphens and underscores. Unique, ignoring case.";

export const createBody = resourceBody(
  "organizations",
  {
    attributes: Type.Intersect([
      Type.Object({ name: Type.String({ description: NAME }), email: Type.String() }),
      settings,
    ]),
    relationships,
  },
  { attributes: { name: "acme", email: "platform@acme.example" } },
);

export const updateBody = resourceBody(
  "organizations",
  {
    attributes: Type.Optional(
      Type.Intersect([
        Type.Object({
          // Neither can be emptied, so an empty one is refused in words.
          name: optional(Type.String({ minLength: 0 }), NAME),
          email: optional(Type.String({ minLength: 0 })),
        }),
        settings,
      ]),
    ),
    relationships,
  },
  { attributes: { "session-timeout": 20160 } },
);

export const listQuery = Type.Object({
  q: parameter("Text that the name or the email contains, ignoring case."),
  "q[name]": parameter("Text that the name contains."),
  "q[email]": parameter("Text that the email contains."),
  ...pageQuery,
});

/** There are no subscriptions here, so one includes nothing. */
export const INCLUDES = ["default_project", "entitlement_set", "subscription"] as const;

export const readQuery = Type.Object({
  include: parameter("default_project, entitlement_set; subscription is accepted and has no effect."),
});

/** An organization as lists and documents show it, and what the example does not say of it. */
const ORGANIZATION = {
  id: "org-Ab3kXyZ12mNoPqRs",
  name: "acme",
  email: "platform@acme.example",
  settings: "{}",
  defaultExecutionMode: "remote",
  defaultProjectId: "prj-Ab3kXyZ12mNoPqRs",
  createdAt: "2026-01-02T03:04:05.678Z",
  tagCount: 0,
  workspaceCount: 0,
  projectCount: 1,
};
const EXAMPLE = renderOrganization(EXAMPLE_ACTOR, ORGANIZATION);
const SAID = {
  id: "The name.",
  attributes: {
    "external-id": "Immutable.",
    "session-timeout": nullable(Type.Integer()),
    "session-remember": nullable(Type.Integer()),
    "owners-team-saml-role-id": nullable(Type.String()),
    permissions: titled("OrganizationPermissions", shapeOf(EXAMPLE.attributes.permissions)),
  },
  relationships: titled("OrganizationRelationships", shapeOf(EXAMPLE.relationships)),
};

export const organizationDocument = documentOf("The organization.", EXAMPLE, SAID, INCLUDED);

const { name: _name, permissions: _permissions, ...ofReaders } = EXAMPLE.attributes;
/** A reader of its workspaces alone knows its name; the rest is left out. */
const SEEN = titled(
  "SeenOrganization",
  mayLack(
    shapeOf(EXAMPLE, {
      ...SAID,
      attributes: mayLack(shapeOf(EXAMPLE.attributes, SAID.attributes), ...Object.keys(ofReaders)),
    }),
    "relationships",
  ),
);

export const seenDocument = Type.Object(
  { data: SEEN, ...INCLUDED },
  {
    title: "SeenOrganizationDocument",
    description: "Organization. If the token may only read workspaces: its name, and permissions that are all false.",
    examples: [{ data: EXAMPLE }],
  },
);

export const organizationList = Type.Object(
  {
    data: Type.Array(SEEN),
    links: Type.Optional(linksSchema),
    meta: Type.Optional(paginationSchema),
  },
  {
    description: "Page of organizations. Without page parameters: all organizations, without links and meta.",
    examples: [{ data: [] }],
  },
);

export const entitlementSetDocument = documentOf(
  "Entitlements of the organization.",
  renderEntitlementSet(ORGANIZATION),
  {
    id: "External ID of the organization.",
  },
);

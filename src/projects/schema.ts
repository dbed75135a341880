/** Shapes of projects on the wire. */
import { Type, type Static } from "typebox";
import {
  bulkBody,
  documentOf,
  identifier,
  nullable,
  optional,
  pageOf,
  pageQuery,
  parameter,
  related,
  relatedTo,
  resourceBody,
} from "../http/jsonapi-schema.ts";

const NAME = "Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.";

const attributes = {
  description: optional(Type.String({ maxLength: 256 })),
  "default-execution-mode": optional(
    Type.Enum(["remote", "local"]),
    "What its workspaces use unless they say otherwise. There are no agents.",
  ),
  "setting-overwrites": optional(
    Type.Object({
      "default-execution-mode": optional(Type.Boolean()),
      "default-agent-pool": optional(Type.Boolean()),
    }),
    "False follows the organization again.",
  ),
  "auto-destroy-activity-duration": optional(
    Type.String({ pattern: "^[1-9][0-9]{0,3}[hd]$" }),
    "Hours or days, such as 36h or 14d. Echoed.",
  ),
  "default-agent-pool-id": optional(Type.String(), "Refused unless null, because there are no agents."),
};

const relationships = Type.Optional(
  Type.Object({
    "default-agent-pool": Type.Optional(
      Type.Object({ data: optional(Type.Object({ type: Type.String(), id: Type.String() })) }),
    ),
    "tag-bindings": Type.Optional(
      Type.Object(
        { data: optional(Type.Array(Type.Unknown())) },
        { description: "Refused unless empty: key/value tags are not supported." },
      ),
    ),
  }),
);

export const createBody = resourceBody(
  "projects",
  { attributes: Type.Object({ name: Type.String({ description: NAME }), ...attributes }), relationships },
  { attributes: { name: "Payments", description: "Cards and ledgers" } },
);

export const updateBody = resourceBody(
  "projects",
  { attributes: Type.Optional(Type.Object({ name: optional(Type.String(), NAME), ...attributes })), relationships },
  { attributes: { description: "Cards" } },
);

export const moveBody = bulkBody(identifier("workspaces"), { type: "workspaces", id: "ws-Ab3kXyZ12mNoPqRs" });

const include = parameter("Nothing can be included.");

export const includeQuery = Type.Object({ include });

export const listQuery = Type.Object({
  q: parameter("Text that the name holds, in any case."),
  "filter[names]": parameter("Up to 100 names separated by commas, in any case; a project has any of them."),
  "filter[tagged][0][key]": parameter("There are no key/value tags, so this matches nothing."),
  sort: parameter("name, or -name for the other way round; others are passed over."),
  include,
  ...pageQuery,
});

export const projectResource = Type.Object({
  id: Type.String(),
  type: Type.Literal("projects"),
  attributes: Type.Object({
    name: Type.String(),
    description: Type.String(),
    "created-at": Type.String({ format: "date-time" }),
    "workspace-count": Type.Integer({ description: "All of them, also those that the token may not see." }),
    "team-count": Type.Integer(),
    "stack-count": Type.Integer(),
    "is-unified": Type.Boolean(),
    "auto-destroy-activity-duration": nullable(Type.String()),
    "default-execution-mode": Type.String({ description: "Its own, or the organization's." }),
    "setting-overwrites": Type.Object({
      "default-execution-mode": Type.Boolean(),
      "default-agent-pool": Type.Boolean(),
    }),
    permissions: Type.Record(Type.String(), Type.Boolean()),
  }),
  relationships: Type.Object({
    organization: relatedTo("organizations"),
    "default-agent-pool": Type.Object({ data: Type.Null() }),
    "tag-bindings": related,
    "effective-tag-bindings": related,
  }),
  links: Type.Object({ self: Type.String() }),
});

export type ProjectResource = Static<typeof projectResource>;

const PATH = "/api/v2/projects/prj-Ab3kXyZ12mNoPqRs";

const PROJECT: ProjectResource = {
  id: "prj-Ab3kXyZ12mNoPqRs",
  type: "projects",
  attributes: {
    name: "Payments",
    description: "Cards and ledgers",
    "created-at": "2026-01-02T03:04:05.678Z",
    "workspace-count": 0,
    "team-count": 0,
    "stack-count": 0,
    "is-unified": false,
    "auto-destroy-activity-duration": null,
    "default-execution-mode": "remote",
    "setting-overwrites": { "default-execution-mode": false, "default-agent-pool": false },
    permissions: {
      "can-update": true,
      "can-destroy": true,
      "can-create-workspace": true,
      "can-move-workspace": true,
      "can-read-teams": true,
      "can-manage-teams": true,
    },
  },
  relationships: {
    organization: { data: { id: "acme", type: "organizations" } },
    "default-agent-pool": { data: null },
    "tag-bindings": { links: { related: `${PATH}/tag-bindings` } },
    "effective-tag-bindings": { links: { related: `${PATH}/effective-tag-bindings` } },
  },
  links: { self: PATH },
};

export const projectDocument = documentOf(projectResource, "The project.", PROJECT);

export const projectList = pageOf(
  projectResource,
  "A page of projects.",
  PROJECT,
  "/api/v2/organizations/acme/projects",
);

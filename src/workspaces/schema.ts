import { Type, type Static } from "typebox";
import {
  documentOf,
  INCLUDED,
  optional,
  nullable,
  pageOf,
  pageQuery,
  parameter,
  resourceBody,
} from "../http/jsonapi-schema.ts";
import { tagReferenceSchema } from "../workspace-tags/schema.ts";
import { settingsSchema } from "./settings.ts";

const relationships = Type.Object({
  project: Type.Optional(
    Type.Object({
      data: nullable(Type.Object({ type: Type.Literal("projects"), id: Type.String({ maxLength: 100 }) })),
    }),
  ),
  tags: Type.Optional(Type.Object({ data: Type.Array(tagReferenceSchema, { maxItems: 1000 }) })),
  "tag-bindings": Type.Optional(
    Type.Object({ data: Type.Array(Type.Unknown(), { description: "Key/value tags are not supported." }) }),
  ),
});

/** Body of create and update. Unknown attributes are ignored. */
export const workspaceBody = resourceBody(
  "workspaces",
  {
    attributes: Type.Optional(Type.Intersect([Type.Object({ name: Type.Optional(Type.String()) }), settingsSchema])),
    relationships: Type.Optional(relationships),
  },
  {
    attributes: { name: "prod-network", description: "Networks of production" },
    relationships: { tags: { data: [{ type: "tags", attributes: { name: "prod" } }] } },
  },
);

export type WorkspaceBody = Static<typeof workspaceBody>;

const reason = optional(Type.String({ maxLength: 10_000 }));

/** Body of lock: as documented, as go-tfe wraps it, or none. */
export const lockBody = Type.Optional(
  nullable(
    Type.Object(
      {
        reason,
        data: Type.Optional(Type.Object({ attributes: Type.Optional(Type.Object({ reason })) })),
      },
      { examples: [{ reason: "a change is under way" }] },
    ),
  ),
);

const resource = Type.Object({
  id: Type.String(),
  type: Type.Literal("workspaces"),
  attributes: Type.Object({
    name: Type.String(),
    "tag-names": Type.Array(Type.String()),
    "execution-mode": Type.String(),
    locked: Type.Boolean(),
    "created-at": Type.String(),
    "updated-at": Type.String(),
    permissions: Type.Record(Type.String(), Type.Boolean()),
  }),
  relationships: Type.Record(Type.String(), Type.Unknown()),
  links: Type.Object({ self: Type.String(), "self-html": Type.String() }),
});

const EXAMPLE = {
  id: "ws-Ab3kXyZ12mNoPqRs",
  type: "workspaces",
  attributes: {
    name: "prod-network",
    "tag-names": ["prod"],
    "execution-mode": "remote",
    locked: false,
    "created-at": "2026-01-02T03:04:05.678Z",
    "updated-at": "2026-01-02T03:04:05.678Z",
    permissions: { "can-update": true },
  },
  relationships: { organization: { data: { id: "acme", type: "organizations" } } },
  links: {
    self: "/api/v2/organizations/acme/workspaces/prod-network",
    "self-html": "/app/acme/workspaces/prod-network",
  },
};

export const workspaceDocument = documentOf(resource, "The workspace.", EXAMPLE, INCLUDED);

export const workspaceList = pageOf(
  resource,
  "A page of workspaces.",
  EXAMPLE,
  "/api/v2/organizations/acme/workspaces",
  INCLUDED,
);

const include = parameter("organization, project, locked_by.");

export const workspaceListQuery = Type.Object({
  ...pageQuery,
  "search[name]": parameter("Text that the name holds, in any case."),
  "search[wildcard-name]": parameter("The name, with * for any text."),
  "search[tags]": parameter("Names of tags that a workspace carries, all of them; separated by commas."),
  "search[exclude-tags]": parameter("Names of tags of which it carries none."),
  "search[exclude_tags]": parameter("The same in its other spelling."),
  "filter[project][id]": parameter("Id of its project."),
  "filter[current-run][status]": parameter("There are no runs, so this matches nothing."),
  sort: parameter("name, created-at or latest-change-at; with - in front the other way round."),
  include,
});

export const includeQuery = Type.Object({ include });

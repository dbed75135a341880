import { Type, type Static } from "typebox";
import {
  documentOf,
  ID_PREFIX_PARAMETER,
  INCLUDED,
  optional,
  nullable,
  pageOf,
  relationshipsOf,
  pageQuery,
  parameter,
  resourceBody,
} from "../http/jsonapi/schema.ts";
import { WARNINGS } from "../http/jsonapi/warnings.ts";
import { taggedParameters } from "../tags/holders/bindings/parameters.ts";
import { bindingsRelationship } from "../tags/holders/bindings/schema.ts";
import { tagReferenceSchema } from "../tags/pool/schema.ts";
import { renderWorkspace } from "./resource.ts";
import { attributesSchema } from "./attributes.ts";

/** One without data says nothing: published clients write so what they do not set, and what was read comes back with links alone. */
const relationships = Type.Object({
  project: Type.Optional(
    Type.Object({
      data: optional(Type.Object({ type: Type.Literal("projects"), id: Type.String({ maxLength: 100 }) })),
    }),
  ),
  tags: Type.Optional(Type.Object({ data: Type.Optional(Type.Array(tagReferenceSchema, { maxItems: 1000 })) })),
  "tag-bindings": bindingsRelationship,
});

/** Body of create and update. Unknown attributes are ignored. */
export const workspaceBody = resourceBody(
  "workspaces",
  {
    attributes: Type.Optional(Type.Intersect([Type.Object({ name: Type.Optional(Type.String()) }), attributesSchema])),
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
      { examples: [{ reason: "a change is in progress" }] },
    ),
  ),
);

const NOW = "2026-01-02T03:04:05.678Z";
const WORKSPACE = {
  id: "ws-Ab3kXyZ12mNoPqRs",
  organizationId: "org-Ab3kXyZ12mNoPqRs",
  organizationName: "acme",
  organizationExecutionMode: "remote",
  projectId: "prj-Ab3kXyZ12mNoPqRs",
  projectExecutionMode: "",
  projectSettings: "{}",
  name: "prod-network",
  nameKey: "prod-network",
  settings: "{}",
  locked: 0,
  lockedReason: "",
  lockedBy: "",
  createdAt: NOW,
  updatedAt: NOW,
  latestChangeAt: NOW,
};
const EXAMPLE = renderWorkspace(WORKSPACE, ["prod"], undefined, true);
const maybeText = nullable(Type.String());
const SAID = {
  attributes: {
    description: maybeText,
    "auto-destroy-at": maybeText,
    "auto-destroy-activity-duration": maybeText,
  },
  relationships: relationshipsOf(EXAMPLE),
};

export const workspaceDocument = documentOf("The workspace.", EXAMPLE, SAID, INCLUDED);
export const writtenWorkspace = documentOf("Workspace, with violations of the tag policy.", EXAMPLE, SAID, WARNINGS);

export const workspaceList = pageOf("Page of workspaces.", EXAMPLE, SAID, INCLUDED);

const include = parameter(
  "organization, project, locked_by, effective_tag_bindings. Names of runs, states and similar have no effect.",
);

export const workspaceListQuery = Type.Object({
  ...pageQuery,
  "search[name]": parameter("Text that the name contains, ignoring case.", { minLength: 0 }),
  "search[wildcard-name]": parameter("Name, with * for any text."),
  "search[tags]": parameter("Comma-separated names of tags or tag keys, all of which the workspace has."),
  "search[exclude-tags]": parameter("Names of tags, none of which the workspace has."),
  "search[exclude_tags]": parameter("Alternative spelling of search[exclude-tags]."),
  ...taggedParameters,
  "filter[project][id]": parameter("Project ID."),
  "filter[id-prefix]": ID_PREFIX_PARAMETER,
  "filter[current-run][status]": parameter("Runs are not supported, so nothing matches."),
  sort: parameter("name, created-at or latest-change-at; prefix with - for descending order."),
  include,
});

export const includeQuery = Type.Object({ include });

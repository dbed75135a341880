/** Shapes of projects on the wire. */
import { Type } from "typebox";
import {
  defaultAgentPool,
  documentOf,
  INCLUDED,
  EXAMPLE_ACTOR,
  ID_PREFIX_PARAMETER,
  nullable,
  optional,
  pageOf,
  relationshipsOf,
  pageQuery,
  parameter,
  resourceBody,
} from "../http/jsonapi/schema.ts";
import { WARNINGS } from "../http/jsonapi/warnings.ts";
import { taggedParameters } from "../tags/holders/bindings/parameters.ts";
import { bindingsRelationship } from "../tags/holders/bindings/schema.ts";
import { renderProject } from "./render.ts";

const NAME = "3 to 40 letters, digits, spaces, hyphens and underscores; no space at either end. Unique, ignoring case.";

const settings = Type.Object(
  {
    description: optional(Type.String({ maxLength: 256 })),
    "default-execution-mode": optional(
      Type.Enum(["remote", "local"]),
      "Default execution mode of its workspaces. Agents are not supported.",
    ),
    "setting-overwrites": optional(
      Type.Object({
        "default-execution-mode": optional(Type.Boolean()),
        "default-agent-pool": optional(Type.Boolean()),
      }),
      "False: use the setting of the organization.",
    ),
    "auto-destroy-activity-duration": optional(
      Type.String(),
      "Hours or days, such as 36h or 14d, at most four digits. Stored and returned; no effect.",
    ),
    "default-agent-pool-id": optional(Type.String(), "Must be null: agents are not supported."),
  },
  { title: "ProjectSettings" },
);

const relationships = Type.Optional(
  Type.Object({
    "default-agent-pool": defaultAgentPool,
    "tag-bindings": bindingsRelationship,
  }),
);

export const createBody = resourceBody(
  "projects",
  { attributes: Type.Intersect([Type.Object({ name: Type.String({ description: NAME }) }), settings]), relationships },
  { attributes: { name: "Payments", description: "Cards and ledgers" } },
);

export const updateBody = resourceBody(
  "projects",
  {
    attributes: Type.Optional(
      Type.Intersect([Type.Object({ name: optional(Type.String({ minLength: 0 }), NAME) }), settings]),
    ),
    relationships,
  },
  { attributes: { description: "Cards" } },
);

const include = parameter("effective_tag_bindings.");

export const includeQuery = Type.Object({ include });

export const listQuery = Type.Object({
  q: parameter("Text that the name contains, ignoring case."),
  "filter[names]": parameter("Comma-separated project names, ignoring case. Maximum: 100."),
  ...taggedParameters,
  "filter[id-prefix]": ID_PREFIX_PARAMETER,
  "filter[permissions][update]": parameter("true: only projects that the token may change. false: only the others."),
  "filter[permissions][create-workspace]": parameter(
    "true: only projects in which the token may create workspaces. false: only the others.",
  ),
  sort: parameter("name, or -name for descending order. Default: newest first."),
  include,
  ...pageQuery,
});

const EXAMPLE = renderProject(EXAMPLE_ACTOR, {
  id: "prj-Ab3kXyZ12mNoPqRs",
  organizationId: "org-Ab3kXyZ12mNoPqRs",
  organizationName: "acme",
  organizationExecutionMode: "remote",
  defaultProjectId: "",
  name: "Payments",
  description: "Cards and ledgers",
  settings: "{}",
  defaultExecutionMode: "",
  createdAt: "2026-01-02T03:04:05.678Z",
  workspaceCount: 0,
});
const SAID = {
  attributes: {
    "workspace-count": "Number of all workspaces, including workspaces that the token may not read.",
    "auto-destroy-activity-duration": nullable(Type.String()),
    "default-execution-mode": "Own setting, or the setting of the organization.",
  },
  relationships: relationshipsOf(EXAMPLE),
};

export const projectDocument = documentOf("The project.", EXAMPLE, SAID, INCLUDED);
export const writtenProject = documentOf("Project, with violations of the tag policy.", EXAMPLE, SAID, WARNINGS);

export const projectList = pageOf("Page of projects.", EXAMPLE, SAID, INCLUDED);

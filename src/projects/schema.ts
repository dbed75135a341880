/** Shapes of projects on the wire. */
import { Type } from "typebox";
import {
  defaultAgentPool,
  documentOf,
  INCLUDED,
  EXAMPLE_ACTOR,
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

const NAME = "Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.";

const settings = Type.Object(
  {
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
      Type.String(),
      "Hours or days, such as 36h or 14d, of four digits at most. Echoed.",
    ),
    "default-agent-pool-id": optional(Type.String(), "Refused unless null, because there are no agents."),
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
  q: parameter("Text that the name holds, in any case."),
  "filter[names]": parameter("Up to 100 names separated by commas, in any case; a project has any of them."),
  ...taggedParameters,
  "filter[permissions][update]": parameter("true: only those that the token may change; false: only the others."),
  "filter[permissions][create-workspace]": parameter(
    "true: only those in which the token may make workspaces; false: only the others.",
  ),
  sort: parameter("name, or -name for the other way round; otherwise the newest come first."),
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
    "workspace-count": "All of them, also those that the token may not see.",
    "auto-destroy-activity-duration": nullable(Type.String()),
    "default-execution-mode": "Its own, or the organization's.",
  },
  relationships: relationshipsOf(EXAMPLE),
};

export const projectDocument = documentOf("The project.", EXAMPLE, SAID, INCLUDED);
export const writtenProject = documentOf("The project, and rules for tags that it breaks.", EXAMPLE, SAID, WARNINGS);

export const projectList = pageOf("A page of projects.", EXAMPLE, SAID, INCLUDED);

/** Shapes of projects on the wire. */
import { Type, type Static } from "typebox";
import { examplePage, linksSchema, pageQuery, paginationSchema } from "../http/pagination-schema.ts";

export const organizationParams = Type.Object({ organization_name: Type.String() });

export const projectParams = Type.Object({ project_id: Type.String() });

const NAME = "Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.";

const attributes = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
  "default-execution-mode": Type.Optional(
    Type.Union([Type.Enum(["remote", "local"]), Type.Null()], {
      description: "What its workspaces use unless they say otherwise. There are no agents.",
    }),
  ),
  "setting-overwrites": Type.Optional(
    Type.Union(
      [
        Type.Object({
          "default-execution-mode": Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
          "default-agent-pool": Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
        }),
        Type.Null(),
      ],
      { description: "False follows the organization again." },
    ),
  ),
  "auto-destroy-activity-duration": Type.Optional(
    Type.Union([Type.String({ pattern: "^[1-9][0-9]{0,3}[hd]$" }), Type.Null()], {
      description: "Hours or days, such as 36h or 14d. Echoed.",
    }),
  ),
  "default-agent-pool-id": Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "Refused unless null, because there are no agents." }),
  ),
};

const relationships = Type.Optional(
  Type.Object({
    "default-agent-pool": Type.Optional(
      Type.Object({
        data: Type.Optional(Type.Union([Type.Object({ type: Type.String(), id: Type.String() }), Type.Null()])),
      }),
    ),
    "tag-bindings": Type.Optional(
      Type.Object(
        { data: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])) },
        { description: "Refused unless empty: key/value tags are not supported." },
      ),
    ),
  }),
);

export const createBody = Type.Object(
  {
    data: Type.Object({
      type: Type.Literal("projects"),
      id: Type.Optional(Type.String()),
      attributes: Type.Object({ name: Type.String({ description: NAME }), ...attributes }),
      relationships,
    }),
  },
  { examples: [{ data: { type: "projects", attributes: { name: "Payments", description: "Cards and ledgers" } } }] },
);

export const updateBody = Type.Object(
  {
    data: Type.Object({
      type: Type.Literal("projects"),
      id: Type.Optional(Type.String()),
      attributes: Type.Optional(
        Type.Object({
          name: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: NAME })),
          ...attributes,
        }),
      ),
      relationships,
    }),
  },
  { examples: [{ data: { type: "projects", attributes: { description: "Cards" } } }] },
);

export const moveBody = Type.Object(
  {
    data: Type.Array(Type.Object({ type: Type.Literal("workspaces"), id: Type.String({ minLength: 1 }) }), {
      minItems: 1,
      maxItems: 1000,
    }),
  },
  { examples: [{ data: [{ type: "workspaces", id: "ws-Ab3kXyZ12mNoPqRs" }] }] },
);

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const includeQuery = Type.Object({ include: optionalText("Nothing can be included.") });

export const listQuery = Type.Object({
  q: optionalText("Text that the name holds, in any case."),
  "filter[names]": optionalText("Up to 100 names separated by commas, in any case; a project has any of them."),
  "filter[tagged][0][key]": optionalText("There are no key/value tags, so this matches nothing."),
  sort: optionalText("name, or -name for the other way round; others are passed over."),
  include: optionalText("Nothing can be included."),
  ...pageQuery,
});

const related = Type.Object({ links: Type.Object({ related: Type.String() }) });

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
    "auto-destroy-activity-duration": Type.Union([Type.String(), Type.Null()]),
    "default-execution-mode": Type.String({ description: "Its own, or the organization's." }),
    "setting-overwrites": Type.Object({
      "default-execution-mode": Type.Boolean(),
      "default-agent-pool": Type.Boolean(),
    }),
    permissions: Type.Record(Type.String(), Type.Boolean()),
  }),
  relationships: Type.Object({
    organization: Type.Object({ data: Type.Object({ id: Type.String(), type: Type.Literal("organizations") }) }),
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

export const projectDocument = Type.Object(
  { data: projectResource },
  { description: "The project.", examples: [{ data: PROJECT }] },
);

export const projectList = Type.Object(
  { data: Type.Array(projectResource), links: linksSchema, meta: paginationSchema },
  {
    description: "A page of projects.",
    examples: [{ data: [PROJECT], ...examplePage("/api/v2/organizations/acme/projects") }],
  },
);

export const deleted = Type.Null({ description: "It is gone." });
export const moved = Type.Null({ description: "All of them are in the project now." });

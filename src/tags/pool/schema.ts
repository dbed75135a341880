import { Type } from "typebox";
import {
  bulkBody,
  documentOf,
  EXAMPLE_ACTOR,
  identifier,
  nullable,
  pageOf,
  pageQuery,
  parameter,
  resourceBody,
  shapeOf,
} from "../../http/jsonapi/schema.ts";
import { WARNINGS } from "../../http/jsonapi/warnings.ts";
import { renderValues, tagRenderer } from "./render.ts";

const TAG = { id: "tag-Ab3kXyZ12mNoPqRs", name: "network", createdAt: "2026-01-02T03:04:05.678Z", instanceCount: 2 };
const EXAMPLE = tagRenderer({ actor: EXAMPLE_ACTOR }, "acme")(TAG);

const SAID = {
  attributes: {
    "created-at": nullable(
      Type.String(),
      "ISO 8601, UTC, with milliseconds; null for who may not read the organization.",
    ),
    "instance-count": nullable(
      Type.Integer(),
      "How many workspaces carry it; null for who may not read the organization.",
    ),
  },
};

const VALUES = renderValues({ values: [{ value: "prod", workspaces: 2, projects: 1 }], count: 1 });
const shownValues = Type.Array(
  shapeOf(VALUES.values[0], { count: "How many workspaces have it.", "project-count": "How many projects have it." }),
  { description: "With include=values: the values of the key, the most used 100." },
);

export const tagList = pageOf(
  "A page of tags.",
  { ...EXAMPLE, attributes: { ...EXAMPLE.attributes, ...VALUES } },
  {
    ...SAID,
    attributes: {
      ...SAID.attributes,
      values: Type.Optional(shownValues),
      "value-count": Type.Optional(Type.Integer({ description: "With include=values: how many values it has." })),
    },
  },
);

export const tagDocument = documentOf("The tag.", EXAMPLE, SAID);

export const renamedTag = documentOf("The tag.", EXAMPLE, SAID, WARNINGS);

export const createdTags = Type.Object(
  { data: Type.Array(shapeOf(EXAMPLE, SAID)), ...WARNINGS },
  { description: "The tags, new or not, in the order of the request.", examples: [{ data: [EXAMPLE] }] },
);

export const tagListQuery = Type.Object({
  ...pageQuery,
  q: parameter("Text that the name holds, in any case."),
  "filter[exclude][taggable][id]": parameter(
    "Id of a workspace; the tags that it carries are left out. One that there is not leaves out none.",
    {
      minLength: 0,
    },
  ),
  "filter[unused]": parameter("true: tags that neither a workspace nor a project has; false: all others."),
  "filter[key]": parameter("true: keys; false: all others."),
  "filter[instance-count][gte]": parameter("Tags that so many workspaces carry, or more."),
  "filter[instance-count][lte]": parameter("Tags that so many workspaces carry, or fewer."),
  sort: parameter(
    "name, count (or instance-count) or created-at, with - in front for the reverse; equal ones by name.",
  ),
  include: parameter("values: what values each key has, and how often."),
});

const name = Type.String({ minLength: 1 });

export const createBody = bulkBody(Type.Object({ type: Type.Literal("tags"), attributes: Type.Object({ name }) }), {
  type: "tags",
  attributes: { name: "network" },
});

export const deleteBody = bulkBody(identifier("tags", 100), { type: "tags", id: TAG.id });

export const renameBody = resourceBody(
  "tags",
  { attributes: Type.Optional(Type.Object({ name: Type.Optional(name) })) },
  { attributes: { name: "networking" } },
);

/** A tag that a request names by id or by name. */
export const tagReferenceSchema = Type.Object(
  {
    type: Type.Literal("tags"),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    attributes: Type.Optional(Type.Object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) })),
  },
  {
    title: "TagReference",
    description: "Named by its id, or by the name in its attributes.",
    anyOf: [
      { required: ["id"] },
      { required: ["attributes"], properties: { attributes: { required: ["name"], properties: { name: {} } } } },
    ],
  },
);

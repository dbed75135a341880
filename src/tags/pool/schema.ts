import { Type } from "typebox";
import {
  bulkBody,
  documentOf,
  EXAMPLE_ACTOR,
  ID_PREFIX_PARAMETER,
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
      "ISO 8601, UTC, with milliseconds; null without read permission on the organization.",
    ),
    "instance-count": nullable(
      Type.Integer(),
      "Number of workspaces that have the tag; null without read permission on the organization.",
    ),
  },
};

const VALUES = renderValues({ values: [{ value: "prod", workspaces: 2, projects: 1 }], count: 1 });
const shownValues = Type.Array(
  shapeOf(VALUES.values[0], {
    count: "Number of workspaces that have it.",
    "project-count": "Number of projects that have it.",
  }),
  { description: "With include=values: the 100 most used values of the tag key." },
);

export const tagList = pageOf(
  "Page of tags.",
  { ...EXAMPLE, attributes: { ...EXAMPLE.attributes, ...VALUES } },
  {
    ...SAID,
    attributes: {
      ...SAID.attributes,
      values: Type.Optional(shownValues),
      "value-count": Type.Optional(Type.Integer({ description: "With include=values: number of values." })),
    },
  },
);

export const tagDocument = documentOf("The tag.", EXAMPLE, SAID);

export const renamedTag = documentOf("The tag.", EXAMPLE, SAID, WARNINGS);

export const createdTags = Type.Object(
  { data: Type.Array(shapeOf(EXAMPLE, SAID)), ...WARNINGS },
  { description: "New and existing tags in the order of the request.", examples: [{ data: [EXAMPLE] }] },
);

export const tagListQuery = Type.Object({
  ...pageQuery,
  q: parameter("Text that the name contains, ignoring case."),
  "filter[exclude][taggable][id]": parameter(
    "ID of a workspace whose tags are excluded. An unknown ID excludes none.",
    {
      minLength: 0,
    },
  ),
  "filter[unused]": parameter("true: only unused tags. false: only used tags."),
  "filter[key]": parameter("true: only tag keys. false: only tags without a value."),
  "filter[instance-count][gte]": parameter("Minimum number of workspaces that have the tag."),
  "filter[instance-count][lte]": parameter("Maximum number of workspaces that have the tag."),
  "filter[id-prefix]": ID_PREFIX_PARAMETER,
  sort: parameter(
    "name, count (or instance-count) or created-at; prefix with - for descending order. Ties are sorted by name.",
  ),
  include: parameter("values: values of each tag key and their numbers of uses."),
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
    description: "Identified by its ID, or by the name in its attributes.",
    anyOf: [
      { required: ["id"] },
      { required: ["attributes"], properties: { attributes: { required: ["name"], properties: { name: {} } } } },
    ],
  },
);

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
} from "../http/jsonapi-schema.ts";
import { tagRenderer } from "./render.ts";

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
  relationships: { organization: { data: { id: "The organization's name." } } },
};

export const tagList = pageOf("A page of tags.", "/api/v2/organizations/acme/tags", EXAMPLE, SAID);

export const tagDocument = documentOf("The tag.", EXAMPLE, SAID);

export const createdTags = Type.Object(
  { data: Type.Array(shapeOf(EXAMPLE, SAID)) },
  { description: "The tags, new or not, in the order of the request.", examples: [{ data: [EXAMPLE] }] },
);

export const tagListQuery = Type.Object({
  ...pageQuery,
  q: parameter("Text that the name holds, in any case."),
  "filter[exclude][taggable][id]": parameter("Id of a workspace; the tags that it carries are left out."),
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
  { anyOf: [{ required: ["id"] }, { required: ["attributes"], properties: { attributes: { required: ["name"] } } }] },
);

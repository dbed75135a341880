import { Type } from "typebox";
import {
  bulkBody,
  documentOf,
  identifier,
  nullable,
  pageOf,
  pageQuery,
  parameter,
  relatedTo,
  resourceBody,
} from "../http/jsonapi-schema.ts";

const EXAMPLE = {
  id: "tag-Ab3kXyZ12mNoPqRs",
  type: "tags",
  attributes: { name: "network", "created-at": "2026-01-02T03:04:05.678Z", "instance-count": 2 },
  relationships: { organization: { data: { id: "acme", type: "organizations" } } },
} as const;

const tag = Type.Object({
  id: Type.String(),
  type: Type.Literal("tags"),
  attributes: Type.Object({
    name: Type.String(),
    "created-at": nullable(
      Type.String(),
      "ISO 8601, UTC, with milliseconds; null for who may not read the organization.",
    ),
    "instance-count": nullable(
      Type.Integer(),
      "How many workspaces carry it; null for who may not read the organization.",
    ),
  }),
  relationships: Type.Object({ organization: relatedTo("organizations", "The organization's name.") }),
});

export const tagList = pageOf(tag, "A page of tags.", EXAMPLE, "/api/v2/organizations/acme/tags");

export const tagDocument = documentOf(tag, "The tag.", EXAMPLE);

export const createdTags = Type.Object(
  { data: Type.Array(tag) },
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

export const deleteBody = bulkBody(identifier("tags", 100), { type: "tags", id: EXAMPLE.id });

export const renameBody = resourceBody(
  "tags",
  { attributes: Type.Optional(Type.Object({ name: Type.Optional(name) })) },
  { attributes: { name: "networking" } },
);

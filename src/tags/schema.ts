import { Type } from "typebox";
import { examplePage, linksSchema, pageQuery, paginationSchema } from "../http/pagination-schema.ts";

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
    "created-at": Type.Union([Type.String(), Type.Null()], {
      description: "ISO 8601, UTC, with milliseconds; null for who may not read the organization.",
    }),
    "instance-count": Type.Union([Type.Integer(), Type.Null()], {
      description: "How many workspaces carry it; null for who may not read the organization.",
    }),
  }),
  relationships: Type.Object({
    organization: Type.Object({
      data: Type.Object({
        id: Type.String({ description: "The organization's name." }),
        type: Type.Literal("organizations"),
      }),
    }),
  }),
});

export const tagList = Type.Object(
  { data: Type.Array(tag), links: linksSchema, meta: paginationSchema },
  {
    description: "A page of tags.",
    examples: [{ data: [EXAMPLE], ...examplePage("/api/v2/organizations/acme/tags") }],
  },
);

export const tagDocument = Type.Object({ data: tag }, { description: "The tag.", examples: [{ data: EXAMPLE }] });

export const createdTags = Type.Object(
  { data: Type.Array(tag) },
  { description: "The tags, new or not, in the order of the request.", examples: [{ data: [EXAMPLE] }] },
);

export const organizationParams = Type.Object({ organization_name: Type.String() });
export const tagParams = Type.Object({ tag_id: Type.String() });

export const tagListQuery = Type.Object({
  ...pageQuery,
  q: Type.Optional(Type.String({ description: "Text that the name holds, in any case." })),
  "filter[exclude][taggable][id]": Type.Optional(
    Type.String({ description: "Id of a workspace; the tags that it carries are left out." }),
  ),
});

/** Entries of one bulk request. */
const MAX_ENTRIES = 1000;

export const createBody = Type.Object(
  {
    data: Type.Array(
      Type.Object({ type: Type.Literal("tags"), attributes: Type.Object({ name: Type.String({ minLength: 1 }) }) }),
      { minItems: 1, maxItems: MAX_ENTRIES },
    ),
  },
  { examples: [{ data: [{ type: "tags", attributes: { name: "network" } }] }] },
);

export const deleteBody = Type.Object(
  {
    data: Type.Array(Type.Object({ type: Type.Literal("tags"), id: Type.String({ minLength: 1, maxLength: 100 }) }), {
      minItems: 1,
      maxItems: MAX_ENTRIES,
    }),
  },
  { examples: [{ data: [{ type: "tags", id: EXAMPLE.id }] }] },
);

export const renameBody = Type.Object(
  {
    data: Type.Object({
      type: Type.Literal("tags"),
      id: Type.Optional(Type.String()),
      attributes: Type.Optional(Type.Object({ name: Type.Optional(Type.String({ minLength: 1 })) })),
    }),
  },
  { examples: [{ data: { type: "tags", attributes: { name: "networking" } } }] },
);

import { Type } from "typebox";
import { pageQuery } from "../http/pagination-schema.ts";
import { tagReferenceSchema } from "../workspaces/schema.ts";

/** Entries of one bulk request. */
const MAX_ENTRIES = 1000;

/** Tags by id or by name. */
export const tagsBody = Type.Object(
  { data: Type.Array(tagReferenceSchema, { minItems: 1, maxItems: MAX_ENTRIES }) },
  {
    examples: [
      {
        data: [
          { type: "tags", attributes: { name: "network" } },
          { type: "tags", id: "tag-Ab3kXyZ12mNoPqRs" },
        ],
      },
    ],
  },
);

export const workspacesBody = Type.Object(
  {
    data: Type.Array(
      Type.Object({ type: Type.Literal("workspaces"), id: Type.String({ minLength: 1, maxLength: 100 }) }),
      { minItems: 1, maxItems: MAX_ENTRIES },
    ),
  },
  { examples: [{ data: [{ type: "workspaces", id: "ws-Ab3kXyZ12mNoPqRs" }] }] },
);

export const workspaceTagsQuery = Type.Object({
  ...pageQuery,
  name: Type.Optional(Type.String({ description: "Text that the name holds, in any case." })),
});

export const tagWorkspacesQuery = Type.Object(pageQuery);

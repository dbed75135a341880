import { Type, type Static } from "typebox";
import { bulkBody, identifier, pageQuery, parameter } from "../http/jsonapi-schema.ts";
import type { TagReference } from "./attach.ts";

/** A tag that a request names by id or by name. */
export const tagReferenceSchema = Type.Object(
  {
    type: Type.Literal("tags"),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    attributes: Type.Optional(Type.Object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) })),
  },
  { anyOf: [{ required: ["id"] }, { required: ["attributes"], properties: { attributes: { required: ["name"] } } }] },
);

/** References as the services take them. The id wins where both are given. */
export function readTagReferences(data: readonly Static<typeof tagReferenceSchema>[]): TagReference[] {
  return data.map(({ id, attributes }) => (id === undefined ? { name: attributes?.name ?? "" } : { id }));
}

/** Tags by id or by name. */
export const tagsBody = bulkBody(
  tagReferenceSchema,
  { type: "tags", attributes: { name: "network" } },
  { type: "tags", id: "tag-Ab3kXyZ12mNoPqRs" },
);

export const workspacesBody = bulkBody(identifier("workspaces", 100), {
  type: "workspaces",
  id: "ws-Ab3kXyZ12mNoPqRs",
});

export const workspaceTagsQuery = Type.Object({
  ...pageQuery,
  name: parameter("Text that the name holds, in any case."),
});

export const tagWorkspacesQuery = Type.Object(pageQuery);

import { Type } from "typebox";
import { bulkBody, identifier, pageQuery, parameter } from "../http/jsonapi-schema.ts";
import { tagReferenceSchema } from "../workspaces/schema.ts";

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

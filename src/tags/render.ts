import type { Tag } from "./store.ts";

/** JSON:API resource of a tag. */
export function renderTag(organizationName: string, tag: Tag) {
  return {
    id: tag.id,
    type: "tags" as const,
    attributes: { name: tag.name, "created-at": tag.createdAt, "instance-count": tag.instanceCount },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  };
}

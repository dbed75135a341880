import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { EntryTexts, hole, textMaker, valueHole } from "../http/entry-texts.ts";
import type { Tag } from "./store.ts";

/**
 * Renders tags of one organization as JSON:API resources. Who may use a tag without seeing the pool is not told what others do
 * with it, nor since when.
 */
export function tagRenderer({ actor }: Pick<Context, "actor">, organizationName: string) {
  const isSeen = authorize(actor, "organization", organizationName, "read");
  return ({ id, name, createdAt, instanceCount }: Tag) => ({
    id,
    type: "tags" as const,
    attributes: {
      name,
      "created-at": isSeen ? createdAt : null,
      "instance-count": isSeen ? instanceCount : null,
    },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  });
}

const EXAMPLE: Tag = {
  id: hole("id"),
  name: hole("name"),
  createdAt: hole("createdAt"),
  instanceCount: valueHole("instanceCount"),
};

/** The same of a page of them, as text. */
export function tagTexts(ctx: Pick<Context, "actor">, organizationName: string, tags: readonly Tag[]): EntryTexts {
  if (tags.length === 0) return new EntryTexts([]);
  const textOf = textMaker<keyof Tag>(tagRenderer(ctx, organizationName)(EXAMPLE));
  return new EntryTexts(
    tags.map(({ id, name, createdAt, instanceCount }) =>
      textOf({ id, name, createdAt, instanceCount: String(instanceCount) }),
    ),
  );
}

import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import type { Tag } from "./store.ts";

type Caller = Pick<Context, "actor">;

/**
 * JSON:API resources of tags of one organization. Who may use a tag without
 * seeing the pool is not told what others do with it, nor since when.
 */
export function renderTags(ctx: Caller, organizationName: string, tags: readonly Tag[]) {
  const isSeen = seesPool(ctx, organizationName);
  return tags.map((tag) => resourceOf(tag, organizationName, isSeen));
}

/** The same for one. */
export function renderTag(ctx: Caller, organizationName: string, tag: Tag) {
  return resourceOf(tag, organizationName, seesPool(ctx, organizationName));
}

function seesPool({ actor }: Caller, organizationName: string): boolean {
  return authorize(actor, "organization", organizationName, "read");
}

function resourceOf({ id, name, createdAt, instanceCount }: Tag, organizationName: string, isSeen: boolean) {
  return {
    id,
    type: "tags" as const,
    attributes: {
      name,
      "created-at": isSeen ? createdAt : null,
      "instance-count": isSeen ? instanceCount : null,
    },
    relationships: { organization: { data: { id: organizationName, type: "organizations" as const } } },
  };
}

/** All keys and values of an organization, for who may read it. */
import { visibleWorkspaces } from "../../../rights/authorize.ts";
import type { Context } from "../../../context.ts";
import { getOrganization } from "../../../organizations/access.ts";
import { countAllBindings, countPair, listAllBindings, type HeldByAnyone } from "./organization-store.ts";
import { resolveTagged, type TaggedSearch } from "./tagged.ts";

export interface BindingSearch {
  type?: HeldByAnyone["type"] | undefined;
  tagged?: TaggedSearch | undefined;
  /** Whether it is counted how many have each key with its value. */
  withCounts: boolean;
}

/** A binding with who has it, and how many have the key with the same value. */
export interface FoundBinding extends HeldByAnyone {
  counts: { workspaces: number; projects: number } | undefined;
}

/**
 * A page of all bindings of an organization; those of workspaces that the caller may not read are left out.
 *
 * @throws AppError `not_found`
 */
export async function listOrganizationBindings(
  ctx: Context,
  organizationName: string,
  search: BindingSearch,
  page: { offset: number; size: number },
): Promise<{ bindings: FoundBinding[]; total: number }> {
  const { id: organization, name } = await getOrganization(ctx, organizationName, "read");
  const asked = search.tagged && { ...search.tagged, isUnion: true };
  const tagged = asked && (await resolveTagged(ctx.db, organization, asked));
  if (asked !== undefined && tagged === undefined) return { bindings: [], total: 0 };
  const filter = { organization, visibility: visibleWorkspaces(ctx.actor, name), type: search.type, tagged };
  const [found, total] = await Promise.all([
    listAllBindings(ctx.db.long, filter, page.size, page.offset),
    countAllBindings(ctx.db.long, filter),
  ]);
  const counts = new Map<string, FoundBinding["counts"]>();
  if (search.withCounts) {
    const pairs = new Map(found.map((binding) => [pairOf(binding), binding]));
    await Promise.all(
      [...pairs].map(async ([pair, { tag, value }]) => counts.set(pair, await countPair(ctx.db.long, tag, value))),
    );
  }
  return { bindings: found.map((binding) => ({ ...binding, counts: counts.get(pairOf(binding)) })), total };
}

function pairOf({ tag, value }: HeldByAnyone): string {
  return `${tag}=${value}`;
}

/** Groups of tags whose names are alike, for merging. Read by whoever may read the organization. */
import type { Context } from "../../../context.ts";
import type { KeptLists, TextPage } from "../../../limits/kept-lists.ts";
import { getOrganization } from "../../../organizations/access.ts";
import { readGuarded } from "../../../storage/feed/content-states.ts";
import { counterName } from "../../../storage/writes/counters.ts";
import { ALIKE_TAGS } from "./groups.ts";

/**
 * A page of the groups, in the order of the first name of each.
 *
 * @param kept lists of this kind alone
 * @throws AppError `not_found` when the organization is missing or may not be read, `unavailable`
 */
export async function listAlike(
  ctx: Context,
  kept: KeptLists,
  organizationName: string,
  page: { offset: number; size: number },
): Promise<TextPage> {
  const { id } = await getOrganization(ctx, organizationName, "read");
  // Read before the names, and only ever another one later: the list belongs to it for as long as it stays.
  const version = (await readGuarded(ctx.db, counterName({ kind: "organization", id })))?.at ?? "";
  return kept.page({ owner: id, key: id, version }, page, async () => {
    const [list] = await ctx.db.apart(ALIKE_TAGS, { organization: id });
    if (list === undefined) throw new Error("the work gives one list");
    return list;
  });
}

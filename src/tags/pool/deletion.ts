/** Deletes tags from the pool, and so from all that have them. */
import type { Author } from "../changes/record.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { checkOrganization, getOrganization } from "../../organizations/access.ts";
import { addToOrganizationCounts } from "../../organizations/store.ts";
import type { Transaction } from "../../storage/database.ts";
import { insertPurges } from "../../storage/purge/purge.ts";
import { listProjectsOfTag } from "../holders/bindings/bulk-store.ts";
import { loadTagPolicy, warningsOf, type TagWarning } from "../rules/enforce.ts";
import { judgePool } from "../rules/judge-pool.ts";
import { listCarriersOfTag } from "../holders/workspace-tags/store.ts";
import { NOT_HELD } from "../holders/holder.ts";
import { planHeld, writeHeld } from "../holders/plan.ts";
import { PROJECTS } from "../holders/projects.ts";
import { WORKSPACES } from "../holders/workspaces.ts";
import { recordTag } from "./service.ts";
import { deleteTags, findTagsById, idsOf, type NamedTag } from "./store.ts";
import { UseCounts } from "./uses.ts";

/**
 * Deletes tags from the pool, and so from every workspace. All or nothing.
 *
 * @returns rules that are broken by it, where they only advise
 * @throws AppError `not_found` when the organization or one of the tags is missing, `invalid` where rules refuse
 */
export async function deletePoolTags(
  ctx: Context,
  organizationName: string,
  ids: readonly string[],
): Promise<TagWarning[]> {
  const organization = await getOrganization(ctx, organizationName, "write");
  const wanted = [...new Set(ids)];
  return ctx.db.inTransaction({ kind: "organization", id: organization.id }, async (tx) => {
    const [tags, policy] = await Promise.all([
      findTagsById(tx, organization.id, wanted),
      loadTagPolicy(tx, organization.id),
      checkOrganization(ctx, tx, organization.id, "write"),
    ]);
    if (tags.length < wanted.length) throw notFound("organization or tag");
    const warnings = warningsOf(await judgePool(tx, policy, { tags }));
    const isTakenOff = await takeOffAll(ctx, tx, tags);
    removeFromPool(tx, organization.id, tags, isTakenOff, new Date(ctx.now()).toISOString());
    for (const tag of tags) {
      // The record states the number of uses when they do not fit in one transaction: they become invisible now.
      const uses = isTakenOff ? {} : { workspaces: tag.instanceCount, projects: tag.projectCount };
      await recordTag(tx, ctx, { ...tag, organizationId: organization.id }, "deleted", { name: tag.name, ...uses });
    }
    return warnings;
  });
}

/** The tags and their names are gone at once; what is left of them on workspaces and projects is removed in the background. */
function removeFromPool(
  tx: Transaction,
  organization: string,
  tags: readonly NamedTag[],
  isTakenOff: boolean,
  now: string,
): void {
  deleteTags(tx, idsOf(tags));
  addToOrganizationCounts(tx, organization, { tags: -tags.length });
  if (isTakenOff) return;
  insertPurges(tx, "tag", idsOf(tags.filter((tag) => tag.instanceCount + tag.projectCount > 0)), now);
}

/** Uses that one transaction takes away. */
const MOST = 1000;

/**
 * Takes them off workspaces and projects, each with its record, inside the transaction that deletes them.
 *
 * @returns whether it did; where they have more uses than one transaction takes away, nothing is done
 */
async function takeOffAll(author: Author, tx: Transaction, tags: readonly NamedTag[]): Promise<boolean> {
  const used = tags.filter((tag) => tag.instanceCount + tag.projectCount > 0);
  if (used.reduce((sum, tag) => sum + tag.instanceCount + tag.projectCount, 0) > MOST) return false;
  const [carriers, projects] = await Promise.all([
    Promise.all(used.map(({ id }) => listCarriersOfTag(tx, id, MOST))),
    Promise.all(used.map(({ id }) => listProjectsOfTag(tx, id, MOST))),
  ]);
  const takeOff = () => used.map((tag) => [tag, NOT_HELD] as const);
  const [onWorkspaces, onProjects] = await Promise.all([
    planHeld(tx, WORKSPACES, distinct(carriers.flat()), used, takeOff, { isJudged: false }),
    planHeld(tx, PROJECTS, distinct(projects.flat()), used, takeOff, { isJudged: false }),
  ]);
  // The tags are deleted, so their uses need not be counted.
  const counts = new UseCounts();
  await writeHeld(author, tx, WORKSPACES, onWorkspaces.changes, counts);
  await writeHeld(author, tx, PROJECTS, onProjects.changes, counts);
  return true;
}

function distinct<T extends { id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

/** Finds tags that a job leaves in the pool, since a directory of files owns them or something that holds them. */
import type { OwnedAmong } from "../../acl/declarations/owners.ts";
import type { Reader } from "../../storage/database.ts";
import { listProjectsOfTag } from "../holders/bindings/bulk-store.ts";
import type { NamedTag } from "../pool/store.ts";
import { listCarriersOfTag } from "../holders/workspace-tags/store.ts";
import { writeOf } from "./job.ts";

/** Workspaces and projects of a tag that are looked at, of each. Of more, those that come later are looked at later. */
const MOST_HOLDERS = 1000;

export const NO_TAGS: ReadonlySet<NamedTag> = new Set();

/**
 * Returns those of the tags that stay as they are: a tag that could leave only some of its holders is left whole.
 *
 * @param tags in order, of which only so many are looked at as one slice reaches
 * @param limit how many tags and uses the slice changes
 */
export async function findOwnedTags(
  db: Reader,
  owned: OwnedAmong,
  organization: string,
  tags: readonly NamedTag[],
  limit: number,
): Promise<ReadonlySet<NamedTag>> {
  const left = new Set(await owned(db, tags, (tag) => writeOf("tag", tag, organization)));
  let room = limit;
  for (const tag of tags) {
    if (room <= 0) break;
    if (left.has(tag)) continue;
    const [workspaces, projects] =
      tag.instanceCount + tag.projectCount === 0
        ? [[], []]
        : await Promise.all([listCarriersOfTag(db, tag.id, MOST_HOLDERS), listProjectsOfTag(db, tag.id, MOST_HOLDERS)]);
    const ofWorkspaces = await owned(db, workspaces, (each) => writeOf("workspace", each, organization));
    const ofProjects = await owned(db, projects, (each) => writeOf("project", each, organization));
    if (ofWorkspaces.size + ofProjects.size > 0) left.add(tag);
    else room -= workspaces.length + projects.length + 1;
  }
  return left;
}

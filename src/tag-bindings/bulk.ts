/** Some keys of many projects, changed inside a transaction of their organization; as `workspace-tags/bulk.ts` does for workspaces. */
import { recordChange, type Author } from "../changes/record.ts";
import { newId } from "../ids.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { loadTagPolicy, NO_VERDICT, refusedBy, type Verdict } from "../tag-policies/enforce.ts";
import { judgeProjects } from "../tag-policies/judge.ts";
import { idsOf } from "../tags/store.ts";
import type { BulkTag, UseCounts } from "../tags/uses.ts";
import { parts } from "../workspace-tags/records.ts";
import { POSITIONS_PER_INDEX } from "../workspace-tags/write-links.ts";
import type { BoundProject } from "./bind.ts";
import { MAX_BINDINGS } from "./keys.ts";
import { countBoundProjects, findProjectValues } from "./bulk-store.ts";
import { deleteProjectLinks, insertProjectLink, updateProjectValue } from "./store.ts";

/** The values that a project gives some of the keys from now on; undefined takes one off. @param held those that it has, by the tag's id */
export type DecideValues = (
  project: string,
  held: ReadonlyMap<string, string>,
) => Iterable<readonly [tag: BulkTag, value: string | undefined]>;

/** Keys of one project that change. */
export interface ProjectChange<P extends BoundProject = BoundProject> {
  project: P;
  diff: readonly { id: string; key: string; before: string | undefined; after: string | undefined }[];
}

export interface ProjectPlan<P extends BoundProject> {
  changes: ProjectChange<P>[];
  /** Ids of those that have no room for it. They stay as they are. */
  full: Set<string>;
  /** Verdict of the tag policy on the others. Projects that it refuses stay unchanged too. */
  verdict: Verdict;
}

/** Works out what changes; writes nothing. @param isJudged as for workspaces */
export async function planProjects<P extends BoundProject>(
  db: Reader,
  projects: readonly P[],
  tags: readonly BulkTag[],
  decide: DecideValues,
  isJudged = true,
): Promise<ProjectPlan<P>> {
  const known = tags.filter(({ isNew }) => isNew !== true);
  const held = await findProjectValues(db, idsOf(known), idsOf(projects));
  const planned = projects.flatMap((project): ProjectChange<P>[] => {
    const before = held.get(project.id) ?? NOTHING;
    const diff = [...decide(project.id, before)].flatMap(([{ id, name: key }, after]) =>
      before.get(id) === after ? [] : [{ id, key, before: before.get(id), after }],
    );
    return diff.length === 0 ? [] : [{ project, diff }];
  });
  const gaining = planned.filter((change) => gain(change) > 0);
  const counts = await countBoundProjects(
    db,
    gaining.map(({ project }) => project.id),
  );
  const full = new Set(
    gaining.flatMap((change) => {
      const { id } = change.project;
      return (counts.get(id) ?? 0) + gain(change) > MAX_BINDINGS ? [id] : [];
    }),
  );
  const fitting = planned.filter(({ project }) => !full.has(project.id));
  const verdict = isJudged ? await judge(db, fitting) : NO_VERDICT;
  const refused = refusedBy(verdict);
  return { changes: fitting.filter(({ project }) => !refused.has(project.id)), full, verdict };
}

async function judge(db: Reader, changes: readonly ProjectChange[]): Promise<Verdict> {
  const [first] = changes;
  if (first === undefined) return NO_VERDICT;
  const writes = changes.map(({ project, diff }) => ({
    project,
    given: diff.flatMap(({ key, after }) => (after === undefined ? [] : [{ key, value: after }])),
    dropped: diff.filter(({ after }) => after === undefined),
  }));
  return judgeProjects(db, await loadTagPolicy(db, first.project.organizationId), writes);
}

const NOTHING: ReadonlyMap<string, string> = new Map();

function gain({ diff }: ProjectChange): number {
  return diff.reduce((sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined), 0);
}

/** Writes what was worked out in the same transaction; its uses are noted in `counts`. */
export async function writeProjects(
  author: Author,
  tx: Transaction,
  changes: readonly ProjectChange[],
  counts: UseCounts,
  jobId = "",
): Promise<void> {
  const index = await tx.index();
  const boundAt = new Date(author.now()).toISOString();
  for (const { project, diff } of changes) {
    for (const [at, { id: tagId, before, after }] of diff.entries()) {
      if (after === undefined) continue;
      const position = index * POSITIONS_PER_INDEX + at;
      if (before !== undefined) updateProjectValue(tx, project.id, tagId, after);
      else
        insertProjectLink(tx, {
          projectId: project.id,
          tagId,
          value: after,
          bindingId: newId("tb"),
          boundAt,
          position,
        });
      if (before === undefined) counts.add(tagId, { workspaces: 0, projects: 1 });
    }
    const gone = diff.filter(({ after }) => after === undefined);
    for (const { id } of gone) counts.add(id, { workspaces: 0, projects: -1 });
    deleteProjectLinks(tx, project.id, idsOf(gone));
    const { id: objectId, name, organizationId } = project;
    const details = projectDetails(diff);
    await recordChange(tx, author, {
      organizationId,
      kind: "project",
      objectId,
      name,
      action: "tags-changed",
      details,
      jobId,
    });
  }
}

/** Returns the details of the audit record. */
export function projectDetails(diff: ProjectChange["diff"]) {
  return parts("bindings", {
    added: diff.flatMap(({ key, before, after }) =>
      before === undefined && after !== undefined ? [{ key, value: after }] : [],
    ),
    changed: diff.flatMap(({ key, before, after }) =>
      before !== undefined && after !== undefined ? [{ key, from: before, to: after }] : [],
    ),
    removed: diff.flatMap(({ key, before, after }) =>
      before !== undefined && after === undefined ? [{ key, value: before }] : [],
    ),
  });
}

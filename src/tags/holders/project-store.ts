/** Links between projects and tags. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { runInSlices, slices } from "../../storage/purge/slices.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import { insertAllOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { BINDING } from "../pool/marks.ts";
import { NAMED_COLUMNS, type NamedTag, type TagLink } from "../pool/store.ts";

const links = defineQuery((db, p: { tags: readonly string[]; projects: readonly string[] }, engine) =>
  db
    .selectFrom("project_tags")
    .select(["project_id as project", "tag_id as tag", "value", "binding_id as bindingId", "bound_at as boundAt"])
    .where(oneOf(engine, sql.ref("project_id"), p.projects))
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Links of these projects to these keys, by the project's id and the tag's. */
export async function findProjectLinks(
  db: Reader,
  tags: readonly string[],
  projects: readonly string[],
): Promise<Map<string, Map<string, TagLink>>> {
  const rows = tags.length === 0 ? [] : await runInSlices(db, links, projects, (slice) => ({ tags, projects: slice }));
  const found = new Map<string, Map<string, TagLink>>();
  for (const { project, tag, ...link } of rows) {
    const ofProject = found.get(project) ?? new Map<string, TagLink>();
    found.set(project, ofProject.set(tag, { marks: BINDING, ...link }));
  }
  return found;
}

const counts = defineQuery((db, p: { projects: readonly string[] }, engine) =>
  db
    .selectFrom("project_tags")
    .innerJoin("tags", "tags.id", "project_tags.tag_id")
    .select(["project_id as id", (eb) => eb.fn.countAll<number>().as("count")])
    .where(oneOf(engine, sql.ref("project_id"), p.projects))
    .groupBy("project_id"),
);

/** How many keys each of these projects has; none where it is not mentioned. */
export async function countBoundProjects(db: Reader, projects: readonly string[]): Promise<Map<string, number>> {
  const rows = await runInSlices(db, counts, projects, (slice) => ({ projects: slice }));
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const heldByProject = defineQuery((db, p: { holder: string }) =>
  db
    .selectFrom("project_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .select([...NAMED_COLUMNS, "link.value", "link.binding_id as bindingId", "link.bound_at as boundAt"])
    .select(sql<number>`${sql.lit(BINDING)}`.as("marks"))
    .where("link.project_id", "=", p.holder)
    .orderBy("link.position")
    .orderBy("link.tag_id"),
);

/** Finds the keys of a project with its links to them, in the order of adding, for a change. */
export function findHeldByProject(db: Reader, holder: string): Promise<NamedTag[]> {
  return db.run(heldByProject, { holder });
}

const insertAll = insertAllOf("project_tags");

export function insertProjectLinks(tx: Transaction, added: readonly ObjectOf<"project_tags">[]): void {
  insertAll(tx, added);
}

const revalue = defineQuery((db, p: { project: string; tag: string; value: string }) =>
  db
    .updateTable("project_tags")
    .set({ value: p.value })
    .where("project_id", "=", p.project)
    .where("tag_id", "=", p.tag),
);

/** Gives a key of a project another value. */
export function updateProjectValue(tx: Transaction, project: string, tag: string, value: string): void {
  tx.write(revalue, { project, tag, value });
}

const removeOfProject = defineQuery((db, p: { project: string; tags: readonly string[] }, engine) =>
  db
    .deleteFrom("project_tags")
    .where("project_id", "=", p.project)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Takes keys off a project. */
export function deleteProjectLinks(tx: Transaction, project: string, tags: readonly string[]): void {
  if (tags.length > 0) tx.write(removeOfProject, { project, tags });
}

const removeFromProjects = defineQuery((db, p: { tag: string; projects: readonly string[] }, engine) =>
  db
    .deleteFrom("project_tags")
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("project_id"), p.projects)),
);

/** Takes one key off projects. */
export function deleteProjectLinksOfTag(tx: Transaction, tag: string, projects: readonly string[]): void {
  for (const slice of slices(tx, projects)) tx.write(removeFromProjects, { tag, projects: slice });
}

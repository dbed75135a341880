/**
 * What hangs on deleted organizations and tags. A delete takes away only the rows it names and notes here what is left
 * to be removed in the background; every query reaches dependants through a living parent, so nobody sees them.
 */
import type { Database, Transaction } from "./database.ts";
import type { Lease } from "./lease.ts";
import { defineQuery, oneOf, valuesOf } from "./query.ts";
import type { Batch, Removal } from "./removal.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";
import { sql } from "kysely";

const insert = defineQuery(
  (db, p: { kind: Tables["purges"]["kind"]; targets: readonly string[]; now: string }, engine) =>
    db
      .insertInto("purges")
      .columns(["id", "kind", "target", "created_at"])
      .expression((eb) =>
        eb
          .selectFrom(valuesOf(engine, p.targets))
          .select([
            sql<string>`'del-' || value`.as("id"),
            sql<Tables["purges"]["kind"]>`cast(${p.kind} as text)`.as("kind"),
            sql<string>`value`.as("target"),
            sql<string>`cast(${p.now} as text)`.as("created_at"),
          ]),
      ),
);

/**
 * Notes deletions whose dependants are still to be removed; part of the transaction that deletes.
 *
 * @param targets ids, each of which can be deleted once only
 */
export function insertPurges(
  tx: Transaction,
  kind: Tables["purges"]["kind"],
  targets: readonly string[],
  now: string,
): void {
  for (const slice of slices(tx, targets)) tx.write(insert, { kind, targets: slice, now });
}

/** What is left of them; removed on one node at a time. */
export function dependantsOfDeleted(db: Database): Removal {
  return {
    lease: "purge",
    rows: { least: 50, most: 50 },
    jobs: async () =>
      (await db.run(nextPurges, {})).map((purge) => ({
        remove: (lease, limit) => purgeBatch(db, lease, purge, limit),
      })),
  };
}

/** Removes some of what is left of one deletion. */
function purgeBatch(db: Database, lease: Lease, purge: Purge, limit: number): Promise<Batch> {
  return db.inTransaction(lease, async (tx) => {
    const batch = await (purge.kind === "tag" ? purgeTag : purgeOrganization)(tx, purge, limit);
    if (batch.isLast) tx.write(deletePurge, { id: purge.id });
    return batch;
  });
}

async function purgeTag(tx: Transaction, { target }: Purge, limit: number): Promise<Batch> {
  const links = await tx.run(linksOfTag, { tag: target, limit });
  if (links.length > 0) tx.write(deleteLinksOfTag, { tag: target, workspaces: links.map((link) => link.workspace_id) });
  return { removed: links.length, isLast: links.length < limit };
}

/** Workspaces first, since a project cannot go before them; one workspace's links at a time. */
async function purgeOrganization(tx: Transaction, { target }: Purge, limit: number): Promise<Batch> {
  const [workspace] = await tx.run(anyWorkspace, { organization: target });
  if (workspace !== undefined) {
    const links = await tx.run(linksOfWorkspace, { workspace: workspace.id, limit });
    if (links.length > 0) {
      tx.write(deleteLinksOfWorkspace, { workspace: workspace.id, tags: links.map((link) => link.tag_id) });
    }
    if (links.length < limit) tx.write(deleteWorkspace, { id: workspace.id });
    return { removed: links.length, isLast: false };
  }
  const tags = await tx.run(tagsOfOrganization, { organization: target, limit });
  if (tags.length > 0) {
    tx.write(deleteTags, { ids: tags.map((tag) => tag.id) });
    return { removed: tags.length, isLast: false };
  }
  const projects = await tx.run(projectsOfOrganization, { organization: target, limit });
  if (projects.length > 0) tx.write(deleteProjects, { ids: projects.map((project) => project.id) });
  tx.write(deleteTagPolicy, { organization: target });
  return { removed: projects.length, isLast: projects.length < limit };
}

/** Deletions that are read at a time. */
const AT_A_TIME = 1000;

type Purge = Pick<Tables["purges"], "id" | "kind" | "target">;

// Each of these is read in the order of an index: without one PostgreSQL may walk the whole table for a few rows.
const nextPurges = defineQuery((db, _: object) =>
  db.selectFrom("purges").select(["id", "kind", "target"]).orderBy("created_at").orderBy("id").limit(AT_A_TIME),
);
const deletePurge = defineQuery((db, p: { id: string }) => db.deleteFrom("purges").where("id", "=", p.id));
const linksOfTag = defineQuery((db, p: { tag: string; limit: number }) =>
  db
    .selectFrom("workspace_tags")
    .select("workspace_id")
    .where("tag_id", "=", p.tag)
    .orderBy("workspace_key")
    .limit(p.limit),
);
const deleteLinksOfTag = defineQuery((db, p: { tag: string; workspaces: string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces)),
);
const anyWorkspace = defineQuery((db, p: { organization: string }) =>
  db.selectFrom("workspaces").select("id").where("organization_id", "=", p.organization).orderBy("name_key").limit(1),
);
const linksOfWorkspace = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom("workspace_tags")
    .select("tag_id")
    .where("workspace_id", "=", p.workspace)
    .orderBy("tag_id")
    .limit(p.limit),
);
const deleteLinksOfWorkspace = defineQuery((db, p: { workspace: string; tags: string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);
const deleteWorkspace = defineQuery((db, p: { id: string }) => db.deleteFrom("workspaces").where("id", "=", p.id));
const tagsOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db.selectFrom("tags").select("id").where("organization_id", "=", p.organization).orderBy("name").limit(p.limit),
);
const deleteTags = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("tags").where(oneOf(engine, sql.ref("id"), p.ids)),
);
const projectsOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", p.organization)
    .orderBy("name_key")
    .limit(p.limit),
);
const deleteProjects = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("projects").where(oneOf(engine, sql.ref("id"), p.ids)),
);
const deleteTagPolicy = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_policies").where("organization_id", "=", p.organization),
);

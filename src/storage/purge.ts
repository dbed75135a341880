/**
 * What hangs on deleted organizations, tags and workspaces. A delete takes away only the rows it names and notes here what
 * is left to be removed in the background; every query reaches dependants through a living parent, so nobody sees them.
 */
import type { Database, Transaction } from "./database.ts";
import type { Engine } from "./engine.ts";
import type { Lease } from "./lease.ts";
import { defineQuery, oneOf, valuesOf } from "./query.ts";
import type { Batch, Removal } from "./removal.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";
import { sql, type Kysely } from "kysely";

interface Notes {
  kind: Tables["purges"]["kind"];
  targets: readonly string[];
  now: string;
}

function rowsOf(db: Kysely<Tables>, p: Notes, engine: Engine) {
  return db
    .selectFrom(valuesOf(engine, p.targets))
    .select([
      sql<string>`'del-' || value`.as("id"),
      sql<Tables["purges"]["kind"]>`cast(${p.kind} as text)`.as("kind"),
      sql<string>`value`.as("target"),
      sql<string>`cast(${p.now} as text)`.as("created_at"),
    ]);
}

const COLUMNS = ["id", "kind", "target", "created_at"] as const;

const insert = defineQuery((db, p: Notes, engine) =>
  db
    .insertInto("purges")
    .columns(COLUMNS)
    .expression(rowsOf(db, p, engine)),
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

const insertForConsumers = defineQuery((db, p: Notes, engine) =>
  db
    .insertInto("purges")
    .columns(COLUMNS)
    .expression(
      rowsOf(db, p, engine).where(sql<boolean>`exists (select 1 from state_consumers where workspace_id = listed.value)
        or exists (select 1 from state_consumers where consumer_id = listed.value)`),
    ),
);

/** Notes the deletion of a workspace where it has consumers, or is one: of how many others, nothing bounds. */
export function noteDeletedWorkspace(tx: Transaction, id: string, now: string): void {
  tx.write(insertForConsumers, { kind: "workspace", targets: [id], now });
}

/** What is left of them; removed on one node at a time. */
export function dependantsOfDeleted(db: Database): Removal {
  return {
    lease: "purge",
    rows: { least: 50, most: 50 },
    jobs: async () =>
      (await db.run(nextPurges, {}))
        // What a newer program has noted is for that one to remove.
        .filter(({ kind }) => kind in PURGES)
        .map((purge) => ({ remove: (lease, limit) => purgeBatch(db, lease, purge, limit) })),
  };
}

/** Removes some of what is left of one deletion. */
function purgeBatch(db: Database, lease: Lease, purge: Purge, limit: number): Promise<Batch> {
  return db.inTransaction(lease, async (tx) => {
    const batch = await PURGES[purge.kind](tx, purge, limit);
    if (batch.isLast) tx.write(deletePurge, { id: purge.id });
    return batch;
  });
}

// A program of before takes a workspace for an organization that left nothing, and forgets it. What then stays leads
// nowhere, and goes with the workspace at its other end.
const PURGES = { organization: purgeOrganization, tag: purgeTag, workspace: purgeWorkspace };

async function purgeWorkspace(tx: Transaction, { target }: Purge, limit: number): Promise<Batch> {
  const removed = await purgeConsumers(tx, target, limit);
  if (removed === limit) return { removed, isLast: false };
  const consumed = await tx.run(consumedBy, { workspace: target, limit });
  if (consumed.length > 0) {
    tx.write(deleteConsumed, { workspace: target, others: consumed.map((row) => row.workspace_id) });
  }
  return { removed: removed + consumed.length, isLast: consumed.length < limit };
}

/** @returns how many of the workspace's consumers were taken off it */
async function purgeConsumers(tx: Transaction, workspace: string, limit: number): Promise<number> {
  const consumers = await tx.run(consumersOf, { workspace, limit });
  if (consumers.length > 0) {
    tx.write(deleteConsumers, { workspace, others: consumers.map((row) => row.consumer_id) });
  }
  return consumers.length;
}

async function purgeTag(tx: Transaction, { target }: Purge, limit: number): Promise<Batch> {
  const [links, keys] = await Promise.all([
    tx.run(linksOfTag, { tag: target, limit }),
    tx.run(projectsOfTag, { tag: target, limit }),
  ]);
  if (links.length > 0) tx.write(deleteLinksOfTag, { tag: target, workspaces: links.map((link) => link.workspace_id) });
  if (keys.length > 0) tx.write(deleteProjectsOfTag, { tag: target, projects: keys.map((key) => key.project_id) });
  return { removed: links.length + keys.length, isLast: links.length < limit && keys.length < limit };
}

/** Workspaces first, since a project cannot go before them; one workspace's links at a time. A project has few keys. */
async function purgeOrganization(tx: Transaction, { target }: Purge, limit: number): Promise<Batch> {
  const [workspace] = await tx.run(anyWorkspace, { organization: target });
  if (workspace !== undefined) {
    const links = await tx.run(linksOfWorkspace, { workspace: workspace.id, limit });
    if (links.length > 0) {
      tx.write(deleteLinksOfWorkspace, { workspace: workspace.id, tags: links.map((link) => link.tag_id) });
    }
    const removed = links.length + (await purgeConsumers(tx, workspace.id, limit - links.length));
    if (removed < limit) tx.write(deleteWorkspace, { id: workspace.id });
    return { removed, isLast: false };
  }
  const tags = await tx.run(tagsOfOrganization, { organization: target, limit });
  if (tags.length > 0) {
    tx.write(deleteTags, { ids: tags.map((tag) => tag.id) });
    return { removed: tags.length, isLast: false };
  }
  const projects = await tx.run(projectsOfOrganization, { organization: target, limit });
  if (projects.length > 0) {
    const ids = projects.map((project) => project.id);
    tx.write(deleteKeysOfProjects, { ids });
    tx.write(deleteProjects, { ids });
    return { removed: projects.length, isLast: false };
  }
  return purgeChanges(tx, target, limit);
}

/** The records of what was changed in an organization, and whom they were told. */
async function purgeChanges(tx: Transaction, organization: string, limit: number): Promise<Batch> {
  const positions = await tx.run(changesOfOrganization, { organization, limit });
  const last = positions.at(-1)?.position;
  if (last !== undefined) tx.write(deleteChanges, { organization, last });
  const isLast = positions.length < limit;
  if (isLast) {
    tx.write(deleteFloor, { organization });
    tx.write(deleteWebhooks, { organization });
    tx.write(deleteJobs, { organization });
    tx.write(deleteReservedKeys, { organization });
    tx.write(deleteTagPolicy, { organization });
  }
  return { removed: positions.length, isLast };
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
const projectsOfTag = defineQuery((db, p: { tag: string; limit: number }) =>
  db.selectFrom("project_tags").select("project_id").where("tag_id", "=", p.tag).orderBy("project_id").limit(p.limit),
);
const deleteProjectsOfTag = defineQuery((db, p: { tag: string; projects: string[] }, engine) =>
  db
    .deleteFrom("project_tags")
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("project_id"), p.projects)),
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
const consumersOf = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom("state_consumers")
    .select("consumer_id")
    .where("workspace_id", "=", p.workspace)
    .orderBy("consumer_id")
    .limit(p.limit),
);
const deleteConsumers = defineQuery((db, p: { workspace: string; others: string[] }, engine) =>
  db
    .deleteFrom("state_consumers")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("consumer_id"), p.others)),
);
const consumedBy = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom("state_consumers")
    .select("workspace_id")
    .where("consumer_id", "=", p.workspace)
    .orderBy("workspace_id")
    .limit(p.limit),
);
const deleteConsumed = defineQuery((db, p: { workspace: string; others: string[] }, engine) =>
  db
    .deleteFrom("state_consumers")
    .where("consumer_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("workspace_id"), p.others)),
);
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
const deleteKeysOfProjects = defineQuery((db, p: { ids: string[] }, engine) =>
  db.deleteFrom("project_tags").where(oneOf(engine, sql.ref("project_id"), p.ids)),
);
const deleteReservedKeys = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("reserved_tag_keys").where("organization_id", "=", p.organization),
);
const deleteTagPolicy = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_policies").where("organization_id", "=", p.organization),
);
const changesOfOrganization = defineQuery((db, p: { organization: string; limit: number }) =>
  db
    .selectFrom("changes")
    .select("position")
    .where("organization_id", "=", p.organization)
    .orderBy("position")
    .limit(p.limit),
);
const deleteChanges = defineQuery((db, p: { organization: string; last: number }) =>
  db.deleteFrom("changes").where("organization_id", "=", p.organization).where("position", "<=", p.last),
);
const deleteFloor = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("change_floors").where("organization_id", "=", p.organization),
);
const deleteWebhooks = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_webhooks").where("organization_id", "=", p.organization),
);
const deleteJobs = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_jobs").where("organization_id", "=", p.organization),
);

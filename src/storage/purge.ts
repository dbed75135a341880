/**
 * Removes what hangs on deleted organizations and tags, in the background. A
 * delete takes away only the rows it names and notes here what is left; every
 * query reaches dependants through a living parent, so nobody sees them.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startBackground, type Background } from "./background.ts";
import type { Database, Transaction } from "./database.ts";
import { newHolder, takeLease, type Lease } from "./lease.ts";
import { defineQuery, oneOf, valuesOf } from "./query.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";
import { sql } from "kysely";

const LEASE = "purge";
/**
 * Rows that one transaction removes. Each lies on a page of its own, so the
 * number is what the log has to sync while other writers wait: with 300 their
 * p99 was 35 ms on SQLite, with 50 it is 6 ms (measured, a million links).
 */
const BATCH = 50;
const BATCH_PAUSE_MS = 2;
/** Batches between two renewals of the lease. */
const RENEW_EVERY = 100;

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

/**
 * Starts the background work. It runs on one node at a time.
 *
 * @param onError told of a failure; the work is tried again
 */
export function startPurger(db: Database, onError: (error: unknown) => void): Background {
  const holder = newHolder();

  async function work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [next] = await db.run(nextPurge, {});
      if (next === undefined) return;
      const lease = await takeLease(db, LEASE, holder);
      if (lease === undefined) return;
      for (let batch = 0; batch < RENEW_EVERY && !signal.aborted; batch++) {
        if (await purgeBatch(db, lease, next)) break;
        await sleep(BATCH_PAUSE_MS);
      }
    }
  }

  return startBackground(work, onError);
}

/** Removes some of what is left of one deletion. @returns whether that was the last of it */
function purgeBatch(db: Database, lease: Lease, purge: Purge): Promise<boolean> {
  return db.inTransaction(lease, async (tx) => {
    const finished = purge.kind === "tag" ? await purgeTag(tx, purge) : await purgeOrganization(tx, purge);
    if (finished) tx.write(deletePurge, { id: purge.id });
    return finished;
  });
}

async function purgeTag(tx: Transaction, { target }: Purge): Promise<boolean> {
  const links = await tx.run(linksOfTag, { tag: target, limit: BATCH });
  if (links.length > 0) tx.write(deleteLinksOfTag, { tag: target, workspaces: links.map((link) => link.workspace_id) });
  return links.length < BATCH;
}

/** Workspaces first, since a project cannot go before them; one workspace's links at a time. */
async function purgeOrganization(tx: Transaction, { target }: Purge): Promise<boolean> {
  const [workspace] = await tx.run(anyWorkspace, { organization: target });
  if (workspace !== undefined) {
    const links = await tx.run(linksOfWorkspace, { workspace: workspace.id, limit: BATCH });
    if (links.length > 0) {
      tx.write(deleteLinksOfWorkspace, { workspace: workspace.id, tags: links.map((link) => link.tag_id) });
    }
    if (links.length < BATCH) tx.write(deleteWorkspace, { id: workspace.id });
    return false;
  }
  const tags = await tx.run(tagsOfOrganization, { organization: target, limit: BATCH });
  if (tags.length > 0) {
    tx.write(deleteTags, { ids: tags.map((tag) => tag.id) });
    return false;
  }
  const projects = await tx.run(projectsOfOrganization, { organization: target, limit: BATCH });
  if (projects.length > 0) tx.write(deleteProjects, { ids: projects.map((project) => project.id) });
  return projects.length < BATCH;
}

type Purge = Pick<Tables["purges"], "id" | "kind" | "target">;

// Each of these is read in the order of an index: without one PostgreSQL may walk the whole table for a few rows.
const nextPurge = defineQuery((db, _: object) =>
  db.selectFrom("purges").select(["id", "kind", "target"]).orderBy("created_at").orderBy("id").limit(1),
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

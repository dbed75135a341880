/**
 * Removes the dependants of deleted organizations, tags and workspaces. A delete removes only the rows that it names,
 * and notes here the rows that are left to be removed in the background. Every query reaches dependants through an
 * existing parent, so no caller sees them.
 */
import { AppError } from "../../errors.ts";
import { counterName, endedCounter, type Counter } from "../writes/counters.ts";
import type { Database, Transaction } from "../database.ts";
import type { Engine } from "../engine.ts";
import { checkLease, type Lease } from "../feed/lease.ts";
import { purgeOrganization } from "./organization.ts";
import { purgeWorkspace } from "./workspace.ts";
import { defineQuery, oneOf, valuesOf } from "../reads/query.ts";
import type { RemovedBatch, Removal } from "../operator/removal.ts";
import { slices } from "./slices.ts";
import type { Tables } from "../tables/tables.ts";
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

/** Notes the deletion of a workspace with consumers, or of a consumer: their number has no bound. */
export function noteDeletedWorkspace(tx: Transaction, id: string, now: string): void {
  tx.write(insertForConsumers, { kind: "workspace", targets: [id], now });
}

/** Removal of the dependants; runs on one node at a time. */
export function dependantsOfDeleted(db: Database): Removal {
  return {
    lease: "purge",
    rows: { least: 50, most: 50 },
    jobs: async () =>
      (await db.run(nextPurges, {}))
        // A newer program removes the dependants that it has noted itself.
        .filter(({ kind }) => kind in PURGES)
        .map((purge) => ({ remove: (lease, limit) => purgeBatch(db, lease, purge, limit) })),
  };
}

/** Removes some of what is left of one deletion. */
async function purgeBatch(db: Database, lease: Lease, purge: Purge, limit: number): Promise<RemovedBatch> {
  const work = async (tx: Transaction, isRecorded = false): Promise<RemovedBatch> => {
    tx.unrecorded("rows of an object whose deletion is recorded");
    const batch = await PURGES[purge.kind](tx, purge, limit, isRecorded);
    if (batch.isLast) tx.write(deletePurge, { id: purge.id });
    return batch;
  };
  // Links that end with what they link are on no record of their own.
  if (purge.kind !== "organization") return db.inTransaction(lease, (tx) => work(tx));
  try {
    return await db.inTransaction(endedChain(purge.target), async (tx) => {
      await checkLease(tx, lease);
      return work(tx, true);
    });
  } catch (error) {
    // An organization that was deleted before the introduction of audit records has no chain for them.
    if (error instanceof AppError && error.code === "not_found") return db.inTransaction(lease, (tx) => work(tx));
    throw error;
  }
}

/** Returns the chain in which the records of a deleted organization continue. */
function endedChain(id: string): Counter {
  return { kind: "chain", name: endedCounter(counterName({ kind: "organization", id })) };
}

// A program of before takes a workspace for an organization that left nothing, and forgets it. What then stays leads
// nowhere, and goes with the workspace at its other end.
const PURGES = { organization: purgeOrganization, tag: purgeTag, workspace: purgeWorkspace };

async function purgeTag(tx: Transaction, { target }: Purge, limit: number): Promise<RemovedBatch> {
  const [links, keys] = await Promise.all([
    tx.run(linksOfTag, { tag: target, limit }),
    tx.run(projectsOfTag, { tag: target, limit }),
  ]);
  if (links.length > 0) tx.write(deleteLinksOfTag, { tag: target, workspaces: links.map((link) => link.workspace_id) });
  if (keys.length > 0) tx.write(deleteProjectsOfTag, { tag: target, projects: keys.map((key) => key.project_id) });
  return { removed: links.length + keys.length, isLast: links.length < limit && keys.length < limit };
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

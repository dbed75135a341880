import { sql } from "kysely";
import type { Visibility } from "../rights/rules/visibility.ts";
import { visible } from "../storage/reads/conditions.ts";
import type { Database, Reader, Transaction } from "../storage/database.ts";
import { defineQuery, oneOf, valuesOf } from "../storage/reads/query.ts";
import { slices } from "../storage/purge/slices.ts";
import { LISTED_COLUMNS, type ListedWorkspace, type Workspace } from "../workspaces/store.ts";

/** Queries on who may read the state of which workspace. */

const insert = defineQuery((db, p: { workspace: string; consumers: readonly string[] }, engine) =>
  db
    .insertInto("state_consumers")
    .columns(["workspace_id", "consumer_id"])
    .expression((eb) =>
      eb
        .selectFrom(valuesOf(engine, p.consumers))
        .select([sql<string>`cast(${p.workspace} as text)`.as("workspace_id"), sql<string>`value`.as("consumer_id")]),
    ),
);

/** Puts consumers on the list of a workspace that are not on it. */
export function insertConsumers(tx: Transaction, workspace: string, consumers: readonly string[]): void {
  for (const slice of slices(tx, consumers)) tx.write(insert, { workspace, consumers: slice });
}

const remove = defineQuery((db, p: { workspace: string; consumers: readonly string[] }, engine) =>
  db
    .deleteFrom("state_consumers")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("consumer_id"), p.consumers)),
);

/** Takes consumers off the list of a workspace. */
export function deleteConsumers(tx: Transaction, workspace: string, consumers: readonly string[]): void {
  for (const slice of slices(tx, consumers)) tx.write(remove, { workspace, consumers: slice });
}

const ids = defineQuery((db, p: { workspace: string }) =>
  db
    .selectFrom("state_consumers")
    .innerJoin("workspaces", "workspaces.id", "consumer_id")
    .select("consumer_id as id")
    .where("workspace_id", "=", p.workspace),
);

/** Ids of all living consumers of a workspace, of which there is a bound. */
export async function findConsumerIds(db: Reader, workspace: string): Promise<Set<string>> {
  return new Set((await db.run(ids, { workspace })).map(({ id }) => id));
}

/** Conditions on the consumers of a workspace. */
export interface ConsumerFilter {
  workspace: Pick<Workspace, "id" | "organizationId" | "organizationName" | "organizationExecutionMode">;
  visibility: Visibility;
  /** Only those in this project. */
  projectId?: string | undefined;
}

/** A page of the consumers of a workspace in order of their names, with how many there are. */
export async function listConsumers(
  db: Reader,
  filter: ConsumerFilter,
  limit: number,
  offset: number,
): Promise<{ workspaces: ListedWorkspace[]; total: number }> {
  const { organizationId, organizationName, organizationExecutionMode } = filter.workspace;
  const [rows, counted] = await Promise.all([
    living(db, filter).select(LISTED_COLUMNS).orderBy("workspaces.name_key").limit(limit).offset(offset).execute(),
    living(db, filter)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .execute(),
  ]);
  const workspaces = rows.map((row) => ({
    ...row,
    organizationId,
    organizationName,
    organizationExecutionMode,
  }));
  return { workspaces, total: counted[0]?.count ?? 0 };
}

/** Consumers are of the organization of their workspace, so that is not read again. */
function living(db: Reader, { workspace, visibility, projectId }: ConsumerFilter) {
  const query = db.sql
    .selectFrom("state_consumers")
    .innerJoin("workspaces", "workspaces.id", "consumer_id")
    .innerJoin("projects", "projects.id", "workspaces.project_id")
    .where("workspace_id", "=", workspace.id)
    .where(visible(db.engine, sql.ref("workspaces.name_key"), visibility));
  return projectId === undefined ? query : query.where("workspaces.project_id", "=", projectId);
}

const probe = defineQuery((db, p: { workspace: string; offset: number }) =>
  db
    .selectFrom("state_consumers")
    .select("consumer_id")
    .where("workspace_id", "=", p.workspace)
    .orderBy("consumer_id")
    .limit(1)
    .offset(p.offset),
);

/** Rows that may be joined in the event loop: each costs several look-ups. */
const NEAR = 100;

/** Returns the reader for a list of consumers: it reads off the event loop when there are many. */
export async function readerForConsumersOf(db: Database, workspace: string): Promise<Reader> {
  return (await db.run(probe, { workspace, offset: NEAR })).length > 0 ? db.long : db;
}

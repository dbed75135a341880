/** Databases and rows for the cases that every engine must pass. */
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./engines.ts";
import { fold } from "../../src/fold.ts";
import type { Counter } from "../../src/storage/writes/counters.ts";
import type { Database, Reader, Transaction } from "../../src/storage/database.ts";
import { openDatabase, type OpenOptions } from "../../src/storage/open.ts";
import { defineQuery } from "../../src/storage/reads/query.ts";

/** Opens a database for one test, in a data directory of its own unless `options` name one. */
export async function openForTest(url: string, options: Partial<OpenOptions> = {}): Promise<Database> {
  const db = await openDatabase({
    url,
    dataDir: options.dataDir ?? temporaryDirectory(),
    onFatal: () => undefined,
    onWarning: () => undefined,
    ...options,
  });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= db.close());
  onTestFinished(close);
  return { ...db, close };
}

export const root: Counter = { kind: "root" };

export function organization(id: string): Counter {
  return { kind: "organization", id };
}

export async function makeCounter(db: Database, counter: "organization" | "partition", name: string): Promise<Counter> {
  await db.inTransaction(root, async (tx) => {
    tx.write(
      tx.sql.insertInto("counters").values({ name: `${counter}/${name}`, value: 0, audit_seq: 0, audit_hash: "" }),
    );
  });
  return counter === "organization" ? { kind: "organization", id: name } : { kind: "partition", name };
}

/** The counter of a partition, which is made unless it is there. */
export async function ensurePartition(db: Database, name: string): Promise<Counter> {
  await db.inTransaction(root, async (tx) => {
    const row = { name: `partition/${name}`, value: 0, audit_seq: 0, audit_hash: "" };
    tx.write(
      tx.sql
        .insertInto("counters")
        .values(row)
        .onConflict((oc) => oc.doNothing()),
    );
  });
  return { kind: "partition", name };
}

/** Value of a counter; undefined when it has no row. */
export async function readCounter(db: Reader, name: string): Promise<number | undefined> {
  const row = await db.sql.selectFrom("counters").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

/** Facts are the plainest rows there are: a name and a value. */
export async function listFacts(db: Reader): Promise<Record<string, string>> {
  const rows = await db.sql.selectFrom("meta").selectAll().orderBy("name").execute();
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}

export const insertFact = defineQuery((db, p: { name: string; value: string }) =>
  db.insertInto("meta").values({ name: p.name, value: p.value, proof: "" }),
);

export const findFact = defineQuery((db, p: { name: string }) =>
  db.selectFrom("meta").select(["name", "value"]).where("name", "=", p.name),
);

const TIME = "2026-01-02T03:04:05.678Z";

/** An organization with its counter and one project, named like it. */
export async function makeOrganization(db: Database, id: string, name = id): Promise<Counter> {
  await db.inTransaction(root, async (tx) => {
    tx.write(
      tx.sql.insertInto("counters").values({ name: `organization/${id}`, value: 0, audit_seq: 0, audit_hash: "" }),
    );
    tx.write(
      tx.sql.insertInto("organizations").values({
        id,
        name,
        name_key: fold(name),
        email: "owner@example.com",
        settings: "{}",
        default_execution_mode: "remote",
        default_project_id: `prj-${id}`,
        created_at: TIME,
        tag_count: 0,
        workspace_count: 0,
        project_count: 1,
      }),
    );
    tx.write(
      tx.sql.insertInto("projects").values({
        id: `prj-${id}`,
        organization_id: id,
        name: "Default Project",
        name_key: "default project",
        description: "",
        settings: "{}",
        default_execution_mode: "",
        created_at: TIME,
        workspace_count: 0,
      }),
    );
  });
  return organization(id);
}

export function writeTag(tx: Transaction, owner: string, name: string, id = `tag-${owner}-${name}`): void {
  tx.write(
    tx.sql
      .insertInto("tags")
      .values({ id, organization_id: owner, name, pinned: 1, instance_count: 0, project_count: 0, created_at: TIME }),
  );
}

export function writeWorkspace(tx: Transaction, owner: string, name: string, project = `prj-${owner}`): void {
  tx.write(
    tx.sql.insertInto("workspaces").values({
      id: `ws-${owner}-${name}`,
      organization_id: owner,
      project_id: project,
      name,
      name_key: fold(name),
      settings: "{}",
      locked: 0,
      locked_reason: "",
      locked_by: "",
      created_at: TIME,
      updated_at: TIME,
      latest_change_at: TIME,
    }),
  );
}

/** Links a tag to a workspace, both made by the functions above. */
export function writeLink(tx: Transaction, owner: string, workspace: string, tag: string): void {
  tx.write(
    tx.sql.insertInto("workspace_tags").values({
      workspace_id: `ws-${owner}-${workspace}`,
      tag_id: `tag-${owner}-${tag}`,
      workspace_key: fold(workspace),
      position: 1,
      marks: 1,
      value: "",
      binding_id: "",
      bound_at: "",
    }),
  );
}

export async function countRows(
  db: Reader,
  table: "tags" | "workspaces" | "projects" | "workspace_tags" | "purges" | "organizations" | "leases",
): Promise<number> {
  const row = await db.sql
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Restores in the process of the test. The command, both engines and backups under load are in test/backup. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { migrationsOf } from "../storage/operator/loading.ts";
import { markerOf } from "../storage/operator/moved.ts";
import { openSqliteLoading } from "../storage/sqlite/loading.ts";
import { openSqliteSnapshot } from "../storage/sqlite/snapshot.ts";
import { openBackup } from "./read.ts";
import { restoreBackup, type Restored } from "./restore.ts";
import { writeBackup } from "./write.ts";

const BUILT_IN_POLICY = "00000000-0000-0000-0000-000000000001";
const v1 = useV1(() => makeDatabaseUrl("sqlite"));
const pieces: Buffer[] = [];
let managing = "";

/** Adds a row to the database as it is stored; columns that are not given are empty. */
function addRow(db: DatabaseSync, table: string, row: Readonly<Record<string, string>>): void {
  const columns = db.prepare(`select name, type from pragma_table_info('${table}')`).all();
  const values = columns.map(({ name, type }) => row[String(name)] ?? (type === "integer" ? 0 : ""));
  db.prepare(`insert into ${table} values (${values.map(() => "?").join(", ")})`).all(...values);
}

beforeAll(async () => {
  const role = await v1.role({ Policies: [{ ID: BUILT_IN_POLICY }] });
  managing = (await v1.token({ Description: "by role", Roles: [{ ID: role }] })).accessor;
  await v1.token({ Description: "plain" });
  await v1.put("/namespace", { Name: "team" });
  const path = v1.url.slice("sqlite:".length);
  const source = new DatabaseSync(path);
  source.exec("pragma busy_timeout = 5000; pragma foreign_keys = off");
  addRow(source, "console_sessions", { id: "a session" });
  const { columns, values } = markerOf("postgres://elsewhere");
  addRow(source, "meta", Object.fromEntries(columns.map((column, at) => [column, values[at] ?? ""])));
  source.close();
  const snapshot = await openSqliteSnapshot(path, join(temporaryDirectory(), "copy"));
  await writeBackup(snapshot, async (bytes) => void pieces.push(Buffer.from(bytes)));
  await snapshot.close();
});

/** Restores the backup into a new database. @param records audit records of later changes */
async function restore(records: readonly object[] = []): Promise<{ restored: Restored; target: DatabaseSync }> {
  const folder = temporaryDirectory();
  const path = join(folder, "restored.db");
  const audit = join(folder, "audit.jsonl");
  writeFileSync(audit, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const backup = await openBackup(bytesOf(), "backup");
  const loading = openSqliteLoading(path, migrationsOf(backup.header.migrations), () => undefined);
  const auditFiles = records.length === 0 ? [] : [audit];
  const restored = await restoreBackup(backup, loading, { withLogins: false, auditFiles, now: new Date() });
  const target = new DatabaseSync(path);
  onTestFinished(() => target.close());
  return { restored, target };
}

async function* bytesOf(): AsyncGenerator<Buffer> {
  yield* pieces;
}

test("a restore without logins ends console sessions, names tokens with all rights by a role, and makes a moved database usable", async () => {
  const { restored, target } = await restore();
  expect(target.prepare("select count(*) as n from console_sessions").get()).toEqual({ n: 0 });
  expect(target.prepare("select * from meta where name = 'moved'").all()).toEqual([]);
  expect(restored.returned?.tokens.shown.filter((each) => each.endsWith(", with all rights"))).toContain(
    `${managing} "by role", with all rights`,
  );
});

test("incident 65: a namespace that was deleted after the backup is marked as deleted", async () => {
  const at = new Date(Date.now() + 1000).toISOString();
  const deletion = { kind: "namespace", id: "team", partition: "default", action: "delete", outcome: "done", at };
  const { restored, target } = await restore([deletion]);
  expect(restored.deleted.counts).toEqual({ namespace: 1 });
  const { deleted_at: deletedAt } = target.prepare("select deleted_at from namespaces where name = 'team'").get() ?? {};
  expect(deletedAt).toMatch(/^\d{4}-/);
});

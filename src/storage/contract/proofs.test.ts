import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  forEachEngine,
  forEngine,
  makeDatabaseUrl,
  temporaryDirectory,
  type Engine,
} from "../../../test/support/engines.ts";
import { withClient } from "../../../test/support/postgres-schema.ts";
import type { Database } from "../database.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { DIALECTS } from "../migrations/migration.ts";
import { finishUpgrade } from "../postgres/finish-upgrade.ts";
import { migratePostgres } from "../postgres/migrate.ts";
import { createServers } from "../postgres/servers.ts";
import { digestOf, isIntact, PROVEN_TABLES, provenColumns, provenRows, type ProvenTable } from "../proofs/proofs.ts";
import { keyOf } from "../tables/tables.ts";
import { openForTest } from "../../../test/support/storage.ts";

/** The migrations of the version before there were proofs. */
const BEFORE = MIGRATIONS.filter(({ name }) => name < "0007");

type Row = Record<string, unknown>;

/** Statements as an older program writes, by plain SQL. */
type Execute = (statement: string) => Promise<void>;

async function columnsOf(db: Database, table: string): Promise<string[]> {
  const query =
    db.engine === "sqlite"
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name as name from information_schema.columns
          where table_schema = current_schema() and table_name = ${table}`;
  return (await query.execute(db.sql)).rows.map(({ name }) => name);
}

async function rowsOf(db: Database, table: ProvenTable): Promise<Row[]> {
  return (await sql<Row>`select * from ${sql.table(table)} order by 1`.execute(db.sql)).rows;
}

/** Stores the rows of an older program: two policies, tokens and a role. A link to a deleted policy stays. */
async function fillOlder(execute: Execute): Promise<void> {
  await execute(`insert into policies (id, partition, namespace, name, name_key, description, rules, rule_count, datacenters,
    hash, create_index, modify_index) values ('p', 'default', 'default', 'Naïve', 'naïve', '€', 'key "a" {}', 1, '[]', 'h', 2, 3)`);
  await execute(`insert into roles (id, partition, namespace, name, name_key, description, policies, service_identities,
    node_identities, templated_policies, hash, create_index, modify_index)
    values ('r', 'default', 'default', 'R', 'r', '', '["p","gone"]', '[]', '[]', '[]', 'h', 2, 3)`);
  for (const [id, expiresAt] of [
    ["t", "null"],
    ["u", "1893456000000"],
  ]) {
    await execute(`insert into tokens (accessor_id, secret_lookup, secret_sealed, description, partition, namespace, created_at,
      policies, roles, expires_at) values ('${id}', 'l${id}', 's', 'd', 'default', 'default', 'now', '["p"]', '["r","dead"]', ${expiresAt})`);
  }
  await execute(`insert into auth_methods (id, partition, namespace, name, name_key, type, display_name, description, max_token_ttl,
    token_locality, config_sealed, namespace_rules, rules_index, rules_weight, create_index, modify_index)
    values ('m', 'default', 'default', 'M', 'm', 'jwt', '', '', '0', '', 'c', '[]', 0, 0, 2, 3)`);
  await execute(`insert into binding_rules (id, partition, namespace, method_id, auth_method, description, selector, bind_type,
    bind_name, bind_vars, create_index, modify_index)
    values ('b', 'default', 'default', 'm', 'M', '', '', 'service', 'web', '', 2, 3)`);
  await execute(`insert into meta (name, value) values ('setting/edition', 'enterprise')`);
}

/** A database of the version before, filled. */
async function makeOlder(engine: Engine, url: string): Promise<void> {
  if (engine === "postgres") {
    await migratePostgres(createServers(url), { onWarning: () => undefined, known: BEFORE });
    await withClient(url, (client) => fillOlder(async (statement) => void (await client.query(statement))));
    return;
  }
  const db = new DatabaseSync(url.slice("sqlite:".length));
  db.exec("create table schema_migrations (name text primary key, applied_at text not null, phase text not null)");
  for (const { name, phase = "expand", statements } of BEFORE) {
    for (const statement of statements(DIALECTS.sqlite)) db.exec(statement);
    db.prepare("insert into schema_migrations values (?, '', ?)").run(name, phase);
  }
  await fillOlder(async (statement) => Promise.resolve(db.exec(statement)));
  db.close();
}

async function damagedRows(db: Database): Promise<string[]> {
  const all = await Promise.all(
    PROVEN_TABLES.map(async (table) =>
      (await rowsOf(db, table)).filter((row) => !isIntact(table, row)).map(() => table),
    ),
  );
  return all.flat();
}

async function deletedLinks(db: Database): Promise<string[]> {
  const rows = await db.sql.selectFrom("deleted_links").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

forEachEngine((engine, makeUrl) => {
  test("every column that a row that decides has in the real schema is proven: another value is damage", async () => {
    const url = await makeUrl(true);
    await makeOlder(engine, url);
    const db = await openForTest(url);
    // Rows of tables of a later version: the version before has none.
    const [token] = await rowsOf(db, "tokens");
    const old = { secret_lookup: "old", accessor_id: String(token?.["accessor_id"]), expires_at: 1 };
    const declared = { id: "d", partition: "default", namespace: "default", name: "files", description: "" };
    const session = { id: "s", accessor_id: String(token?.["accessor_id"]), secret_lookup: "old", made_by_login: 0 };
    const seen = { created_at: 1, active_at: 2, address: "::1", user_agent: "" };
    const indexes = { create_index: 1, modify_index: 1 };
    await db.inTransaction({ kind: "root" }, async (tx) => {
      provenRows("token_secrets").insert(tx, old);
      provenRows("console_sessions").insert(tx, { ...session, ...seen });
      provenRows("declarations").insert(tx, { ...declared, name_key: "files", objects: "[]", ...indexes });
      const types = { subject_types: "[]", resource_types: "[]" };
      provenRows("decision_mappings").insert(tx, { ...declared, name_key: "files", ...types, ...indexes });
      const place = { id: "t", partition: "default", namespace: "default", kind: "role" as const, object_id: "r" };
      const deleted = { deleted_at: "", deleted_by: "", ends_at: 1 };
      provenRows("trash").insert(tx, { ...place, name: "n", content: "{}", config_sealed: "", ...deleted, ...indexes });
    });
    for (const table of PROVEN_TABLES) {
      const rows = await rowsOf(db, table);
      expect(rows.length, table).toBeGreaterThan(0);
      for (const row of rows) {
        expect(isIntact(table, row), table).toBe(true);
        for (const column of await columnsOf(db, table)) {
          const value = row[column];
          const others =
            typeof value === "string" ? [`${value} `, "", null, 1, Buffer.from(value)] : [7, null, String(value), ""];
          for (const other of others.filter((each) => each !== value)) {
            const damaged = { ...row, [column]: other };
            // A number is a number in whatever way it is stored.
            const isSame = typeof value === "number" && other === String(value);
            expect(isIntact(table, damaged), `${table}.${column}: ${String(other)}`).toBe(isSame);
          }
        }
      }
    }
  });

  test("a database of the version before is proven when it is opened, and its dead links are known", async () => {
    const url = await makeUrl(true);
    await makeOlder(engine, url);
    const db = await openForTest(url, { dataDir: temporaryDirectory() });
    expect(await damagedRows(db)).toEqual([]);
    expect(await deletedLinks(db)).toEqual(["dead", "gone"]);
  });
});

forEngine("postgres", () => {
  test("while a server of the version before runs beside, what it writes and deletes is proven and noted; after the upgrade it is damage", async () => {
    const url = await makeDatabaseUrl("postgres", true);
    await makeOlder("postgres", url);
    const dataDir = temporaryDirectory();
    const db = await openForTest(url, { dataDir });
    const older = (statement: string) => withClient(url, async (client) => void (await client.query(statement)));
    await older(`update policies set rules = 'key "b" {}' where id = 'p'`);
    await older(
      `insert into meta (name, value) values ('bootstrapped', '1') on conflict (name) do update set value = '2'`,
    );
    await older(
      `insert into meta (name, value) values ('bootstrapped', '1') on conflict (name) do update set value = '3'`,
    );
    await older(`update tokens set roles = '["r"]' where accessor_id = 't'`);
    await older(`delete from roles where id = 'r'`);
    expect(await damagedRows(db)).toEqual([]);
    expect(await deletedLinks(db)).toEqual(["dead", "gone", "r"]);
    await db.close();
    expect(await finishUpgrade(url)).toEqual(["0016-proofs-only", "0017-no-triggers"]);
    const after = await openForTest(url, { dataDir });
    await older(`update policies set rules = 'key "c" {}' where id = 'p'`);
    expect(await damagedRows(after)).toEqual(["policies"]);
  });
});

test("what proofs are made over stays as it is: a column of a later version is proven by a proof of its own (decision 20)", () => {
  const made = Object.fromEntries(
    PROVEN_TABLES.map((table) => [
      table,
      `${keyOf(table)}: ${provenColumns(table).join(" ")}, ${digestOf(table)?.text ?? "-"}`,
    ]),
  );
  expect(made).toMatchInlineSnapshot(`
    {
      "auth_methods": "id: id partition namespace name name_key type display_name description max_token_ttl token_locality config_sealed namespace_rules rules_index rules_weight create_index modify_index, -",
      "binding_rules": "id: id partition namespace method_id auth_method description selector bind_type bind_name bind_vars create_index modify_index, -",
      "console_sessions": "id: id accessor_id secret_lookup made_by_login created_at address user_agent active_at, -",
      "decision_mappings": "id: id partition namespace name name_key description subject_types resource_types create_index modify_index, -",
      "declarations": "id: id partition namespace name name_key description objects create_index modify_index, -",
      "meta": "name: name value, -",
      "namespaces": "id: id partition name description meta has_defaults default_policies default_roles deleted_at create_index modify_index, -",
      "partitions": "name: name description disable_gossip deleted_at create_index modify_index, -",
      "policies": "id: id partition namespace name name_key description rule_count datacenters hash create_index modify_index rules_digest, rules",
      "roles": "id: id partition namespace name name_key description policies service_identities node_identities templated_policies hash create_index modify_index, -",
      "token_secrets": "secret_lookup: secret_lookup accessor_id expires_at, -",
      "tokens": "accessor_id: accessor_id secret_lookup secret_sealed description partition namespace policies roles service_identities node_identities templated_policies is_local auth_method auth_method_namespace method_id login_identity expiration_time expires_at hash created_at create_index modify_index, -",
      "trash": "id: id partition namespace kind object_id name content config_sealed deleted_at deleted_by ends_at create_index modify_index, -",
    }
  `);
});

import { expect, test } from "vitest";
import { freshWholeDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { finishUpgrade } from "./finish-upgrade.ts";
import { applyMigrations, inSchemaTurn } from "./migrate.ts";
import { createServers } from "./servers.ts";

const INSERT = `insert into policies (id, partition, namespace, name, name_key, description, rules, datacenters, hash,
  create_index, modify_index, rule_count, rules_digest)
  values ($1, 'default', 'team', $1, $1, '', '', '[]', '', 1, 1, 0, '')`;

test("during an upgrade triggers count for programs that do not, until it is finished", async () => {
  const url = await freshWholeDatabaseUrl();
  const open = MIGRATIONS.filter(({ phase }) => phase !== "contract");
  await inSchemaTurn(createServers(url), (client) => applyMigrations(client, open, true));
  async function countAfter(program: string, statement: string, values: string[]): Promise<number> {
    return withClient(url, async (client) => {
      await client.query("select set_config('application_name', $1, false)", [program]);
      await client.query(statement, values);
      const { rows } = await client.query("select value from object_counts where name = 'default/team/policies'");
      return Number(rows[0]?.value ?? 0);
    });
  }
  expect(await countAfter("tessera/0012/1/older:1", INSERT, ["a"])).toBe(1);
  expect(await countAfter("psql", INSERT, ["b"])).toBe(2);
  expect(await countAfter("tessera/0014/1/newer:1", INSERT, ["c"])).toBe(2);
  expect(await countAfter("tessera/0014/1/newer:1", "delete from policies where id = $1", ["c"])).toBe(2);
  expect(await countAfter("tessera/0012/1/older:1", "delete from policies where id = $1", ["a"])).toBe(1);
  expect(await finishUpgrade(url)).toEqual(["0016-proofs-only", "0017-no-triggers"]);
  expect(await countAfter("tessera/0012/1/older:1", INSERT, ["d"])).toBe(1);
});

test("the schema of a new database has no triggers, which a distributed engine would refuse", async () => {
  const url = await freshWholeDatabaseUrl();
  await inSchemaTurn(createServers(url), (client) => applyMigrations(client, MIGRATIONS, false));
  const triggers = await withClient(url, async (client) =>
    client.query("select tgname from pg_trigger where not tgisinternal"),
  );
  expect(triggers.rows).toEqual([]);
});

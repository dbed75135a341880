/** Incident 64: a start that is refused for what is in its database changes nothing of it, on either engine. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { begin, emptyPlace, type Place, tessera } from "../backup/command.ts";
import { fingerprintOf } from "../../src/storage/keys/wrapping.ts";
import { engines, temporaryDirectory } from "../support/engines.ts";
import { withClient } from "../support/postgres-schema.ts";
import { makeKeyFile } from "../support/rotate-key.ts";
import { startServer } from "../support/server.ts";
import { rowsOf } from "../upgrades/state.ts";
import { call } from "./lost-log.ts";
import { FILLED_CASES } from "./start-errors.ts";

type Statements = readonly [spoil: string, undo: string];

/** Makes a start be refused, and takes that back. */
interface Spoiled {
  /** Statements before, and those that undo them. */
  sql?: Statements | ((place: Place) => Statements);
  args?: readonly string[];
  /** Another data directory than the database's own. */
  dataDir?: () => string;
  says: RegExp;
}

const META = (name: string, value: string): Statements => [
  `insert into meta (name, value) values ('${name}', '${value}')`,
  `delete from meta where name = '${name}'`,
];
const changed = (table: string, column: string, where = "true"): Statements => [
  `update ${table} set ${column} = 'x' || ${column} where ${where}`,
  `update ${table} set ${column} = substr(${column}, 2) where ${where}`,
];
/** Folders hold the key, and where SQLite is asked for, nothing else: the database is named apart. */
function folderWith(key: Buffer | undefined): string {
  const folder = temporaryDirectory();
  if (key !== undefined) writeFileSync(join(folder, "master-key"), key.toString("base64"), { mode: 0o600 });
  return folder;
}

const REFUSALS: Readonly<Record<string, Spoiled>> = {
  "namespaces under the community edition": {
    args: ["--edition", "community"],
    says: /cannot start with --edition community: the database contains the namespace "team"/,
  },
  "a rotation whose key does not open": {
    sql: ({ dataDir }) => {
      const id = fingerprintOf(Buffer.from(readFileSync(join(dataDir, "master-key"), "utf8"), "base64"));
      return [
        `insert into master_keys (id, state, transition, began_at) values ('${id}', 'current', 'x', 1)`,
        "delete from master_keys",
      ];
    },
    says: /the row of master_keys "[^"]+" failed its integrity check/,
  },
  "another setting than the database's": { args: ["--datacenter", "dc9"], says: /--datacenter dc9 does not match/ },
  "a row that was changed": {
    sql: changed("meta", "value", "name = 'setting/datacenter'"),
    says: /the row of meta "setting\/datacenter" failed its integrity check/,
  },
  "a restore that has not come to its end": { sql: META("restoring", "x"), says: /is running or was interrupted/ },
  "a copy whose source may be open": {
    sql: META("restoring", "whole: x y"),
    says: /has not confirmed that the source is disabled/,
  },
  "a data key that was changed": {
    sql: changed("data_keys", "wrapped", "purpose <> 'lookup'"),
    says: /the row of data_keys "[^"]+" failed its integrity check/,
  },
  "a lookup key that is missing": {
    sql: [
      "update data_keys set purpose = 'x' || purpose where purpose = 'lookup'",
      "update data_keys set purpose = 'lookup' where purpose = 'xlookup'",
    ],
    says: /no lookup key/,
  },
  "a master key of another database": {
    dataDir: () => folderWith(makeKeyFile().key),
    says: /wrong master key for this database/,
  },
  "a wrapped key of another master key": {
    sql: changed("data_keys", "wrapped"),
    says: /wrong master key for this database. Set/,
  },
  "a master key that is missing": { dataDir: () => folderWith(undefined), says: /master key [^ ]+ not found, but/ },
  "a migration of a newer version": {
    sql: [
      "insert into schema_migrations (name, applied_at, phase) values ('9999-newer', '', 'contract')",
      "delete from schema_migrations where name = '9999-newer'",
    ],
    says: /has migration 9999-newer, which this version does not know/,
  },
};

async function run(database: string, sql: string): Promise<void> {
  if (!database.startsWith("sqlite:")) return void (await withClient(database, async (client) => client.query(sql)));
  const db = new DatabaseSync(database.slice("sqlite:".length));
  db.exec(sql);
  db.close();
}

/** All rows, and the counters among them. */
const contentsOf = ({ database }: Place) => rowsOf(database, []);

async function refuse({ where }: Place, args: readonly string[]) {
  // A start that is not refused goes on: ended with another status.
  return begin(["serve", ...where, "--listen", "127.0.0.1:0", ...args], ["timeout", "30"]).ended;
}

describe.each(engines)(
  "incident 64: a start on a database with contents on %s that is refused changes nothing",
  (engine) => {
    let place: Place;
    beforeAll(async () => {
      place = await emptyPlace(engine);
      const server = await startServer(place);
      await call(server, "PUT", "/v1/namespace", { Name: "team" });
      await call(server, "PUT", "/v1/acl/policy?ns=team", { Name: "stays" });
      expect(await server.stop()).toBe(0);
    });

    test.each(Object.entries(REFUSALS))("for %s", async (_why, { sql: made, args = [], dataDir, says }) => {
      const sql = typeof made === "function" ? made(place) : made;
      if (sql !== undefined) await run(place.database, sql[0]);
      const before = await contentsOf(place);
      expect(before["policies"]?.length).toBeGreaterThan(1);
      const where = dataDir === undefined ? place.where : [...place.where.slice(0, 2), "--data-dir", dataDir()];
      const { status, stderr } = await refuse({ ...place, where }, args);
      const after = await contentsOf(place);
      if (sql !== undefined) await run(place.database, sql[1]);
      expect([status, stderr]).toEqual([2, expect.stringMatching(says)]);
      expect(after).toEqual(before);
    });

    test("for having been moved, and its copy is as it was too", async () => {
      const target = await emptyPlace(engine, place);
      const source: Place = engine === "sqlite" ? copyOf(place) : place;
      const move = ["move", "--from", source.database, "--to", target.database, "--data-dir", target.dataDir];
      expect(await tessera(...move)).toMatchObject({ status: 0 });
      const before = [await contentsOf(source), await contentsOf(target)];
      const { status, stderr } = await refuse(source, []);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/the database was moved to/)]);
      expect([await contentsOf(source), await contentsOf(target)]).toEqual(before);
    });
  },
);

test("all that are named where places are excused are here", () => {
  expect(FILLED_CASES.toSorted()).toEqual([...Object.keys(REFUSALS), "having been moved"].toSorted());
});

function copyOf({ dataDir }: Place): Place {
  const copy = join(temporaryDirectory(), "data");
  cpSync(dataDir, copy, { recursive: true });
  const database = `sqlite:${join(copy, "tessera.db")}`;
  return { engine: "sqlite", database, dataDir: copy, where: ["--database", database, "--data-dir", copy] };
}

import type { Database, Reader } from "./database.ts";
import { defineQuery } from "./reads/query.ts";
import { checkProof, provenRows } from "./proofs/proofs.ts";
import { StartError } from "./start-error.ts";

/**
 * Settings that must be equal on all servers of a database, by the names of their options. Two servers with different
 * settings would answer the same request in two ways, or one would allow what the other denies.
 */
export interface StoredSettings {
  edition: string;
  datacenter: string;
  "default-policy": string;
}

/** Setting that differs from the one that the database was created with. */
export interface SettingDifference {
  name: keyof StoredSettings;
  stored: string;
  given: string;
}

export const NAMES: readonly (keyof StoredSettings)[] = ["edition", "datacenter", "default-policy"];
/** Prefix of the names of settings in `meta`. */
export const PREFIX = "setting/";

/**
 * Compares this server's settings with those of the database. The first server of a database writes its own down.
 *
 * @throws StartError that names the first that is another
 */
export async function checkSettings(
  db: Reader & Pick<Database, "inTransaction">,
  given: StoredSettings,
): Promise<void> {
  let settings = await readSettings(db);
  if (missing(settings).length > 0) {
    await writeMissing(db, given);
    settings = await readSettings(db);
  }
  const [difference] = compare(settings, given);
  if (difference === undefined) return;
  const { name, stored } = difference;
  throw new StartError(
    `--${name} ${difference.given} does not match this database, which was created with ${stored}. Set --${name} ${stored}, ` +
      "or stop all servers of the database and run tessera change-settings",
  );
}

/**
 * Makes these the settings of the database.
 *
 * @returns what they were where they differ
 */
export async function changeSettings(
  db: Pick<Database, "inTransaction">,
  given: StoredSettings,
): Promise<SettingDifference[]> {
  return db.inTransaction({ kind: "root" }, async (tx) => {
    const before = await readSettings(tx);
    const differences = compare(before, given);
    for (const name of missing(before)) stored.insert(tx, { name: PREFIX + name, value: given[name] });
    for (const { name, ...values } of differences) {
      stored.update(tx, { name: PREFIX + name, value: given[name] });
      const changes = { value: [values.stored, values.given] };
      tx.record({ partition: "default", kind: "setting", objectId: name, name, action: "update", detail: { changes } });
    }
    return differences;
  });
}

async function writeMissing(db: Pick<Database, "inTransaction">, given: StoredSettings): Promise<void> {
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.unrecorded("the settings of a new database");
    // Another server may have been first; then its settings count.
    for (const name of missing(await readSettings(tx))) {
      stored.insert(tx, { name: PREFIX + name, value: given[name] });
    }
  });
}

async function readSettings(reader: Reader): Promise<Map<string, string>> {
  const rows = await reader.run(listSettings, {});
  for (const row of rows) checkProof("meta", row);
  return new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value]));
}

function missing(stored: ReadonlyMap<string, string>): (keyof StoredSettings)[] {
  return NAMES.filter((name) => !stored.has(name));
}

function compare(stored: ReadonlyMap<string, string>, given: StoredSettings): SettingDifference[] {
  return NAMES.flatMap((name) => {
    const value = stored.get(name);
    return value === undefined || value === given[name] ? [] : [{ name, stored: value, given: given[name] }];
  });
}

const listSettings = defineQuery((sql, _: object) =>
  sql.selectFrom("meta").selectAll().where("name", ">=", PREFIX).where("name", "<", "setting0"),
);
const stored = provenRows("meta");

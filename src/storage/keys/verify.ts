/** Proof that all that is sealed in a database opens by a master key. */
import type { OperatorDatabase } from "../database.ts";
import { createSecretKey, type KeyObject } from "node:crypto";
import { decrypt, openAll, splitSealed } from "./open-sealed.ts";
import { defineQuery } from "../reads/query.ts";
import { createMasters } from "./masters.ts";
import { nameOf, SEALED_COLUMNS, type SealedColumn, type SealedValue } from "./sealed-columns.ts";

/** Result of the verification. */
export interface Verified {
  /** Number of values that open, by column. */
  opened: Readonly<Record<string, number>>;
  /** Number of data keys that open. */
  keys: number;
  /** Values that do not open, such as `tokens.secret_sealed of 1f3a…`; at most 1,000. */
  damaged: string[];
  /** Number of values that do not open. */
  damagedCount: number;
}

const MOST_NAMED = 1000;

/**
 * Opens every sealed value, one slice after the other, while servers go on writing.
 *
 * @param master one of the master keys in use
 * @throws StartError when it is none
 */
export async function verifySealed(db: OperatorDatabase, master: Buffer): Promise<Verified> {
  const damaged: string[] = [];
  let damagedCount = 0;
  const note = (what: string): void => {
    damagedCount += 1;
    if (damaged.length < MOST_NAMED) damaged.push(what);
  };
  const keys = await openKeys(db, master, note);
  const opened: Record<string, number> = {};
  for (const column of SEALED_COLUMNS) opened[nameOf(column)] = await verifyColumn(db, column, keys, note);
  return { opened, keys: keys.count(), damaged, damagedCount };
}

interface OpenKeys {
  count(): number;
  find(id: string): Promise<KeyObject>;
}

async function openKeys(db: OperatorDatabase, master: Buffer, note: (what: string) => void): Promise<OpenKeys> {
  const masters = createMasters(master);
  await masters.load(db);
  const keys = new Map<string, KeyObject>();
  for (const { id, wrapped } of await db.run(listKeys, {})) {
    try {
      keys.set(id, createSecretKey(masters.unwrap(id, wrapped)));
    } catch {
      note(`data_keys.wrapped of ${id}`);
    }
  }
  return {
    count: () => keys.size,
    async find(id) {
      const known = keys.get(id);
      if (known !== undefined) return known;
      // Made since, or wrapped anew.
      await masters.load(db);
      const [row] = await db.run(findKey, { id });
      if (row === undefined) throw new Error(`data key ${id} not found`);
      const key = createSecretKey(masters.unwrap(id, row.wrapped));
      keys.set(id, key);
      return key;
    },
  };
}

async function verifyColumn(
  db: OperatorDatabase,
  column: SealedColumn,
  keys: OpenKeys,
  note: (what: string) => void,
): Promise<number> {
  let opened = 0;
  for (let after = ""; ;) {
    const read = await db.run(column.scan, { after, limit: column.atATime });
    const last = read.at(-1);
    if (last === undefined) return opened;
    after = last.key;
    const values = read.filter(({ sealed }) => sealed !== "");
    const bad = (await openTogether(column, values, keys)) ? [] : await findBad(db, column, values, keys);
    for (const key of bad) note(`${nameOf(column)} of ${key}`);
    opened += values.length - bad.length;
  }
}

/** For a fraction of what each costs alone. @returns whether all open */
async function openTogether({ place }: SealedColumn, values: readonly SealedValue[], { find }: OpenKeys) {
  const all = values.map(({ key, sealed }) => ({ sealed, place: place(key) }));
  return openAll(find, all).then(
    () => true,
    () => false,
  );
}

/** The keys of those that do not open, as they are by now: one may have been sealed anew, or deleted, since it was read. */
async function findBad(
  db: OperatorDatabase,
  column: SealedColumn,
  values: readonly SealedValue[],
  keys: OpenKeys,
): Promise<string[]> {
  const bad: string[] = [];
  for (const { key, sealed } of values) {
    if (await opens(column, key, sealed, keys)) continue;
    const [row] = await db.run(column.rows, { keys: [key] });
    const now = row?.[column.column];
    if (typeof now === "string" && now !== "" && !(await opens(column, key, now, keys))) bad.push(key);
  }
  return bad;
}

async function opens({ place }: SealedColumn, key: string, sealed: string, { find }: OpenKeys): Promise<boolean> {
  try {
    const { id, text } = splitSealed(sealed);
    decrypt(await find(id), text, place(key));
    return true;
  } catch {
    return false;
  }
}

const listKeys = defineQuery((sql, _: object) => sql.selectFrom("data_keys").select(["id", "wrapped"]));
const findKey = defineQuery((sql, p: { id: string }) =>
  sql.selectFrom("data_keys").select("wrapped").where("id", "=", p.id),
);

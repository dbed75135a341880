import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";
import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, Reader } from "../database.ts";
import { encrypt, KEY_BYTES, wrapDataKey } from "./wrapping.ts";
import { createMasters, type Masters } from "./masters.ts";
import { decrypt, openAll, splitSealed } from "./open-sealed.ts";
import type { Keyring } from "./sealed.ts";
import { defineQuery } from "../reads/query.ts";
import { StartError } from "../start-error.ts";
import type { UsedKey } from "./master-key.ts";

/** A data key is replaced after so many records unless a test says otherwise, far from where random nonces would repeat. */
const RECORDS_PER_KEY = 2 ** 28;

/**
 * Opens the keys of a database; on an empty one makes them.
 *
 * @param use whether the master key has sealed a database before: then an empty one is refused
 * @param masterKey gives the master key, 32 bytes; told whether the database is
 * empty, the only time that one may be made
 * @param recordsPerKey how many secrets this process seals under one data key
 * @throws StartError when the master key is not the one that the database was made with, or the database is gone
 */
export async function openKeyring(
  db: EngineDatabase,
  use: Pick<UsedKey, "isUsed" | "refuseEmpty">,
  masterKey: (isEmpty: boolean) => Buffer,
  recordsPerKey: number = RECORDS_PER_KEY,
): Promise<Keyring> {
  let rows = await db.run(listKeys, {});
  if (rows.length === 0 && use.isUsed()) {
    // Another node may have been just making the first ones.
    rows = await db.run(listKeys, {});
    if (rows.length === 0) use.refuseEmpty();
  }
  const masters = createMasters(masterKey(rows.length === 0));
  if (rows.length === 0) await makeLookupKey(db, masters);
  const { keys, lookupId } = await openAllKeys(db, masters);
  const lookupKey = lookupId === undefined ? undefined : keys.get(lookupId);
  if (lookupKey === undefined)
    throw new StartError("the database is corrupted: it contains data keys, but no lookup key");
  return assemble(db, { masters, lookupKey, keys }, recordsPerKey);
}

/**
 * Opens the keys that a database holds, of whichever version its schema is, and makes none.
 *
 * @throws StartError when the master key is not the one that the database was made with
 */
export async function openHeldKeys(db: Reader, masterKey: Buffer): Promise<Pick<Keyring, "open">> {
  const masters = createMasters(masterKey);
  try {
    await masters.load(db);
  } catch (error) {
    // The first versions have no table of them.
    if (error instanceof StartError) throw error;
  }
  const keys = unwrapAll(masters, await db.sql.selectFrom("data_keys").select(["id", "wrapped"]).execute());
  return {
    async open(sealed, place) {
      const { id, text } = splitSealed(sealed);
      const key = keys.get(id);
      if (key === undefined) throw new Error(`data key ${id} not found`);
      return decrypt(key, text, place).toString();
    },
  };
}

/**
 * The key that `Keyring.derive` gives, for a database that is not served yet and whose schema may be of another version.
 *
 * @param masterKey gives the master key
 * @returns undefined where the database has no keys yet
 * @throws StartError when the master key is not the one that the database was made with
 */
export async function deriveKey(db: Reader, masterKey: () => Buffer, purpose: string): Promise<KeyObject | undefined> {
  let rows: { id: string; purpose: string; wrapped: string }[];
  try {
    rows = await db.run(listKeys, {});
  } catch {
    // The first versions have no table of them, nor has an empty database.
    return undefined;
  }
  const lookup = rows.find((row) => row.purpose === "lookup");
  if (lookup === undefined) return undefined;
  const masters = createMasters(masterKey());
  try {
    await masters.load(db);
  } catch (error) {
    if (error instanceof StartError) throw error;
  }
  return derive(createSecretKey(masters.unwrap(lookup.id, lookup.wrapped)), purpose);
}

function derive(lookupKey: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", lookupKey, "", purpose, KEY_BYTES)));
}

interface Keys {
  masters: Masters;
  lookupKey: KeyObject;
  /** Data keys by ID. */
  keys: Map<string, KeyObject>;
}

function assemble(db: EngineDatabase, { masters, lookupKey, keys }: Keys, recordsPerKey: number): Keyring {
  let current: Promise<string> | undefined;
  let records = 0;

  // Made at the first secret after each start, so that a start alone writes nothing.
  async function dataKey(): Promise<[id: string, key: KeyObject]> {
    if (records >= recordsPerKey) {
      current = undefined;
      records = 0;
    }
    records += 1;
    current ??= makeDataKey(db, masters, keys);
    const id = await current.catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return [id, await find(id)];
  }

  async function find(id: string): Promise<KeyObject> {
    const known = keys.get(id);
    if (known !== undefined) return known;
    // Another node made it since, maybe by another master key than there was.
    const [row] = await db.run(findKey, { id });
    if (row === undefined) throw new Error(`data key ${id} not found`);
    await loadServing(masters, db);
    const key = createSecretKey(masters.unwrap(id, row.wrapped));
    keys.set(id, key);
    return key;
  }

  return {
    masterId: masters.id,
    derive: (purpose) => derive(lookupKey, purpose),
    lookup: (secret) => createHmac("sha256", lookupKey).update(secret).digest("base64url"),
    async seal(secret, place) {
      const [id, key] = await dataKey();
      return `${id}.${encrypt(key, Buffer.from(secret), place)}`;
    },
    async open(sealed, place) {
      const { id, text } = splitSealed(sealed);
      return decrypt(await find(id), text, place).toString();
    },
    openAll: (all) => openAll(find, all),
    dataKey: find,
    async renew() {
      current = undefined;
      records = 0;
      // Values that are read from a replica, or were read before, may be sealed by a key whose row is deleted later.
      for (const { id } of await db.run(listRetired, {})) await find(id);
    },
  };
}

async function makeLookupKey(db: EngineDatabase, masters: Masters): Promise<void> {
  const id = newKeyId();
  const bytes = randomBytes(KEY_BYTES);
  await db.inTransaction({ kind: "root" }, async (tx) => {
    // Another node may have been first; its key counts.
    if ((await tx.run(listKeys, {})).length > 0) return;
    const wrapped = wrapDataKey(await masters.load(tx), bytes, id);
    tx.write(insertKey, { id, purpose: "lookup", wrapped, createdAt: new Date().toISOString() });
  });
}

/** @throws StorageAway when the master key was replaced since the start: what it wraps nobody could open */
async function loadServing(masters: Masters, db: Reader): Promise<KeyObject> {
  try {
    return await masters.load(db);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StorageAway("The master key of the server was replaced; retry later", { cause: error });
  }
}

/** @throws StorageAway when the master key was replaced */
async function makeDataKey(db: EngineDatabase, masters: Masters, keys: Map<string, KeyObject>): Promise<string> {
  const id = newKeyId();
  const bytes = randomBytes(KEY_BYTES);
  await db.inTransaction({ kind: "root" }, async (tx) => {
    // Read where nobody can replace it before this is committed.
    const wrapped = wrapDataKey(await loadServing(masters, tx), bytes, id);
    tx.write(insertKey, { id, purpose: "data", wrapped, createdAt: new Date().toISOString() });
  });
  keys.set(id, createSecretKey(bytes));
  return id;
}

interface OpenedKeys {
  keys: Map<string, KeyObject>;
  lookupId: string | undefined;
}

/** @throws StartError when not all of them open: with another master key none would */
async function openAllKeys(db: EngineDatabase, masters: Masters): Promise<OpenedKeys> {
  for (let attempt = 1; ; attempt++) {
    await masters.load(db);
    const rows = await db.run(listKeys, {});
    try {
      return { keys: unwrapAll(masters, rows), lookupId: rows.find((row) => row.purpose === "lookup")?.id };
    } catch (error) {
      // A rotation may have begun, or ended, between the two.
      if (attempt === 3) throw error;
    }
  }
}

function unwrapAll(masters: Masters, rows: readonly { id: string; wrapped: string }[]): Map<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  const errors = new Map<string, unknown>();
  for (const { id, wrapped } of rows) {
    try {
      keys.set(id, createSecretKey(masters.unwrap(id, wrapped)));
    } catch (error) {
      errors.set(id, error);
    }
  }
  const [first] = errors;
  if (first === undefined) return keys;
  const [id, error] = first;
  if (keys.size === 0) throw error;
  throw new StartError(`storage is corrupted: the row of data_keys ${JSON.stringify(id)} failed its integrity check`);
}

function newKeyId(): string {
  return randomBytes(9).toString("base64url");
}

const listKeys = defineQuery((sql, _: object) => sql.selectFrom("data_keys").select(["id", "purpose", "wrapped"]));
const listRetired = defineQuery((sql, _: object) =>
  sql.selectFrom("data_keys").select("id").where("retired_at", "is not", null),
);
const findKey = defineQuery((sql, p: { id: string }) =>
  sql.selectFrom("data_keys").select(["id", "wrapped"]).where("id", "=", p.id),
);
const insertKey = defineQuery(
  (sql, p: { id: string; purpose: "lookup" | "data"; wrapped: string; createdAt: string }) =>
    sql
      .insertInto("data_keys")
      .values({ id: p.id, purpose: p.purpose, wrapped: p.wrapped, created_at: p.createdAt, retired_at: null }),
);

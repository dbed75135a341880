import { createCipheriv, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";
import type { EngineDatabase } from "./database.ts";
import { decrypt, NONCE_BYTES, openAll, splitSealed } from "./open-sealed.ts";
import type { Keyring } from "./sealed.ts";
import { defineQuery } from "./query.ts";
import { StartError } from "./start-error.ts";
import type { UsedKey } from "./master-key.ts";

/** A data key is replaced after so many records unless a test says otherwise, far from where random nonces would repeat. */
const RECORDS_PER_KEY = 2 ** 28;
const KEY_BYTES = 32;

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
  const master = createSecretKey(masterKey(rows.length === 0));
  if (rows.length === 0) {
    await makeLookupKey(db, master);
    rows = await db.run(listKeys, {});
  }
  const keys = unwrapAll(master, rows);
  const lookupRow = rows.find((row) => row.purpose === "lookup");
  const lookupKey = lookupRow && keys.get(lookupRow.id);
  if (lookupKey === undefined) throw new StartError("the database holds keys but no look-up key: it is damaged");
  return assemble(db, { master, lookupKey, keys }, recordsPerKey);
}

interface Keys {
  master: KeyObject;
  lookupKey: KeyObject;
  /** Data keys by ID. */
  keys: Map<string, KeyObject>;
}

function assemble(db: EngineDatabase, { master, lookupKey, keys }: Keys, recordsPerKey: number): Keyring {
  let current: Promise<string> | undefined;
  let records = 0;

  // Made at the first secret after each start, so that a start alone writes nothing.
  async function dataKey(): Promise<[id: string, key: KeyObject]> {
    if (records >= recordsPerKey) {
      current = undefined;
      records = 0;
    }
    records += 1;
    current ??= makeDataKey(db, master, keys);
    const id = await current.catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return [id, await find(id)];
  }

  async function find(id: string): Promise<KeyObject> {
    const known = keys.get(id);
    if (known !== undefined) return known;
    // Another node made it since.
    const [row] = await db.run(findKey, { id });
    if (row === undefined) throw new Error(`data key ${id} is gone`);
    const key = unwrap(master, id, row.wrapped);
    keys.set(id, key);
    return key;
  }

  return {
    derive: (purpose) => createSecretKey(Buffer.from(hkdfSync("sha256", lookupKey, "", purpose, KEY_BYTES))),
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
  };
}

async function makeLookupKey(db: EngineDatabase, master: KeyObject): Promise<void> {
  const id = newKeyId();
  const wrapped = encrypt(master, randomBytes(KEY_BYTES), `data_keys/wrapped/${id}`);
  await db.inTransaction({ kind: "root" }, async (tx) => {
    // Another node may have been first; its key counts.
    if ((await tx.run(listKeys, {})).length > 0) return;
    tx.write(insertKey, { id, purpose: "lookup", wrapped, createdAt: new Date().toISOString() });
  });
}

async function makeDataKey(db: EngineDatabase, master: KeyObject, keys: Map<string, KeyObject>): Promise<string> {
  const id = newKeyId();
  const bytes = randomBytes(KEY_BYTES);
  const wrapped = encrypt(master, bytes, `data_keys/wrapped/${id}`);
  await db.inTransaction({ kind: "root" }, (tx) => {
    tx.write(insertKey, { id, purpose: "data", wrapped, createdAt: new Date().toISOString() });
    return Promise.resolve();
  });
  keys.set(id, createSecretKey(bytes));
  return id;
}

/** @throws StartError when not all of them open: with another master key none would */
function unwrapAll(master: KeyObject, rows: readonly { id: string; wrapped: string }[]): Map<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  const errors = new Map<string, unknown>();
  for (const { id, wrapped } of rows) {
    try {
      keys.set(id, unwrap(master, id, wrapped));
    } catch (error) {
      errors.set(id, error);
    }
  }
  const [first] = errors;
  if (first === undefined) return keys;
  const [id, error] = first;
  if (keys.size === 0) throw error;
  throw new StartError(`storage is damaged: the row of data_keys ${JSON.stringify(id)} is not what was written`);
}

function unwrap(master: KeyObject, id: string, wrapped: string): KeyObject {
  try {
    return createSecretKey(decrypt(master, wrapped, `data_keys/wrapped/${id}`));
  } catch (error) {
    throw new StartError("the master key is not the one this database was made with; give the right --key-file", {
      cause: error,
    });
  }
}

function encrypt(key: KeyObject, plain: Buffer, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

function newKeyId(): string {
  return randomBytes(9).toString("base64url");
}

const listKeys = defineQuery((sql, _: object) => sql.selectFrom("data_keys").select(["id", "purpose", "wrapped"]));
const findKey = defineQuery((sql, p: { id: string }) =>
  sql.selectFrom("data_keys").select(["id", "wrapped"]).where("id", "=", p.id),
);
const insertKey = defineQuery(
  (sql, p: { id: string; purpose: "lookup" | "data"; wrapped: string; createdAt: string }) =>
    sql.insertInto("data_keys").values({ id: p.id, purpose: p.purpose, wrapped: p.wrapped, created_at: p.createdAt }),
);

/** Queries on the keys that organizations have reserved. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../../../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../../../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../../../storage/reads/query.ts";
import { runInSlices } from "../../../storage/purge/slices.ts";

/** A key of which an organization says whether workspaces may give it another value than their project. */
export type ReservedKey = ObjectOf<"reserved_tag_keys">;

/** A reserved key with the name of its organization. */
export interface OwnedReservedKey extends ReservedKey {
  organizationName: string;
}

const byId = definePoint("reserved_tag_keys.id", (db) =>
  db
    .selectFrom("reserved_tag_keys")
    .innerJoin("organizations", "organizations.id", "reserved_tag_keys.organization_id")
    .select([...selectionOf("reserved_tag_keys"), "organizations.name as organizationName"]),
);

/** Finds a reserved key by its id; none whose organization is gone. */
export function findReservedKey(db: Reader, id: string): Promise<OwnedReservedKey | undefined> {
  return db.point(byId, id);
}

const page = defineQuery((db, p: { organization: string; limit: number; offset: number }) =>
  db
    .selectFrom("reserved_tag_keys")
    .select(selectionOf("reserved_tag_keys"))
    .where("organization_id", "=", p.organization)
    .orderBy("key")
    .limit(p.limit)
    .offset(p.offset),
);

/** A page of an organization's reserved keys in their order. */
export function listReservedKeys(
  db: Reader,
  organization: string,
  limit: number,
  offset: number,
): Promise<ReservedKey[]> {
  return db.run(page, { organization, limit, offset });
}

const count = defineQuery((db, p: { organization: string }) =>
  db
    .selectFrom("reserved_tag_keys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", p.organization),
);

export async function countReservedKeys(db: Reader, organization: string): Promise<number> {
  return (await db.run(count, { organization }))[0]?.count ?? 0;
}

const byKey = defineQuery((db, p: { organization: string; key: string }) =>
  db
    .selectFrom("reserved_tag_keys")
    .select("id")
    .where("organization_id", "=", p.organization)
    .where("key", "=", p.key),
);

/** Id of an organization's reserved key. */
export async function findReservedKeyId(db: Reader, organization: string, key: string): Promise<string | undefined> {
  return (await db.run(byKey, { organization, key }))[0]?.id;
}

const byKeys = defineQuery((db, p: { organization: string; keys: readonly string[] }, engine) =>
  db
    .selectFrom("reserved_tag_keys")
    .select(selectionOf("reserved_tag_keys"))
    .where("organization_id", "=", p.organization)
    .where(oneOf(engine, sql.ref("key"), p.keys)),
);

/** Finds the keys that an organization has reserved, among these. */
export function findReservedKeys(db: Reader, organization: string, keys: readonly string[]): Promise<ReservedKey[]> {
  return runInSlices(db, byKeys, keys, (some) => ({ organization, keys: some }));
}

const insert = insertOf("reserved_tag_keys");

export function insertReservedKey(tx: Transaction, key: ReservedKey): void {
  tx.write(insert, key);
}

const update = updateOf("reserved_tag_keys", "key", "disable_overrides", "updated_at");

export function updateReservedKey(tx: Transaction, key: ReservedKey): void {
  tx.write(update, key);
}

const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("reserved_tag_keys").where("id", "=", p.id));

export function deleteReservedKey(tx: Transaction, id: string): void {
  tx.write(remove, { id });
}

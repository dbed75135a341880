import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/query.ts";
import type { Tables } from "../../storage/tables.ts";

const byId = definePoint("idempotency_keys.id", (db) => db.selectFrom("idempotency_keys").selectAll());

/** A creation that was sent before under this key, also one that is too old to count. */
export function findKey(db: Reader, id: string): Promise<Tables["idempotency_keys"] | undefined> {
  return db.point(byId, id);
}

const living = defineQuery(
  (db, p: { accessor: string; partition: string; namespace: string; now: number; limit: number }) =>
    db
      .selectFrom("idempotency_keys")
      .select("expires_at as expiresAt")
      .where("accessor_id", "=", p.accessor)
      .where("partition", "=", p.partition)
      .where("namespace", "=", p.namespace)
      .where("expires_at", ">", p.now)
      .limit(p.limit),
);

/** When keys of a token that count in a namespace end, of `limit` at most; in milliseconds since the epoch. */
export async function listKeyEnds(
  db: Reader,
  key: Pick<Tables["idempotency_keys"], "accessor_id" | "partition" | "namespace">,
  now: number,
  limit: number,
): Promise<number[]> {
  const { accessor_id: accessor, partition, namespace } = key;
  return (await db.run(living, { accessor, partition, namespace, now, limit })).map(({ expiresAt }) => expiresAt);
}

const insert = defineQuery((db, p: Tables["idempotency_keys"]) =>
  db
    .insertInto("idempotency_keys")
    .values({
      id: p.id,
      partition: p.partition,
      namespace: p.namespace,
      accessor_id: p.accessor_id,
      body_hash: p.body_hash,
      rule_id: p.rule_id,
      expires_at: p.expires_at,
    })
    // One that is too old to count may still lie there.
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ body_hash: p.body_hash, rule_id: p.rule_id, expires_at: p.expires_at }),
    ),
);

export function insertKey(tx: Transaction, key: Tables["idempotency_keys"]): void {
  tx.write(insert, key);
}

/**
 * Secrets that tokens had before they were rotated. Each counts until its end, and no longer than its token: whoever shows one
 * is who has that token. Only what finds them is stored; nobody is shown them again.
 */
import type { Database, Reader, Transaction } from "../../storage/database.ts";
import { checkProof, isIntact, provenRows } from "../../storage/proofs/proofs.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { RemovedBatch, Removal } from "../../storage/operator/removal.ts";
import type { Tables } from "../../storage/tables/tables.ts";
import { sql } from "kysely";
import { TOKENS } from "../../rights/kinds.ts";
import { isIn } from "../../rights/scope.ts";
import { changeRegardless } from "../kit/write.ts";

/** A secret that a token had. */
export interface OldSecret {
  secretLookup: string;
  accessorId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

function secretOf(row: Tables["token_secrets"]): OldSecret {
  checkProof("token_secrets", row);
  return { secretLookup: row.secret_lookup, accessorId: row.accessor_id, expiresAt: row.expires_at };
}

const byLookup = definePoint("token_secrets.secret_lookup", (db) => db.selectFrom("token_secrets").selectAll());
const ofToken = defineQuery((db, p: { accessorId: string }) =>
  db.selectFrom("token_secrets").selectAll().where("accessor_id", "=", p.accessorId),
);
const stored = provenRows("token_secrets");
const removeOfToken = defineQuery((db, p: { accessorId: string }) =>
  db.deleteFrom("token_secrets").where("accessor_id", "=", p.accessorId),
);

/** An old secret, also one whose end has come and that is yet to be removed. @throws StorageDamaged */
export async function findOldSecret(db: Reader, lookup: string): Promise<OldSecret | undefined> {
  const row = await db.point(byLookup, lookup);
  return row && secretOf(row);
}

/** The old secrets of a token, also those whose end has come. @throws StorageDamaged */
export async function listOldSecrets(db: Reader, accessorId: string): Promise<OldSecret[]> {
  return (await db.run(ofToken, { accessorId })).map(secretOf);
}

/** Writes the old secrets that a token is to have from now on, and no others. */
export function replaceOldSecrets(tx: Transaction, accessorId: string, secrets: readonly OldSecret[]): void {
  tx.write(removeOfToken, { accessorId });
  for (const { secretLookup, expiresAt } of secrets) {
    stored.insert(tx, { secret_lookup: secretLookup, accessor_id: accessorId, expires_at: expiresAt });
  }
}

const ended = defineQuery((db, p: { now: number; limit: number }) =>
  db
    .selectFrom("token_secrets")
    .innerJoin("tokens", "tokens.accessor_id", "token_secrets.accessor_id")
    .select([
      "token_secrets.secret_lookup",
      "token_secrets.accessor_id",
      "token_secrets.expires_at",
      "token_secrets.proof",
    ])
    .select(["tokens.partition", "tokens.namespace"])
    .where("token_secrets.expires_at", "<=", p.now)
    .orderBy("token_secrets.expires_at")
    .limit(p.limit),
);
const remove = defineQuery((db, p: { lookups: readonly string[] }, engine) =>
  db.deleteFrom("token_secrets").where(oneOf(engine, sql.ref("secret_lookup"), p.lookups)),
);

/**
 * Removes old secrets whose end has passed: they no longer authenticate. It runs as often as the removal of expired tokens,
 * and the kept answers about them are dropped with them: a clock that is set back revives none.
 *
 * @param now milliseconds since the epoch
 */
export function endedSecrets(db: Database, now: () => number): Removal {
  // The end of a damaged secret is unknown.
  const find = async (from: Reader, limit: number) =>
    (await from.run(ended, { now: now(), limit })).filter((row) => isIntact("token_secrets", row));
  return {
    lease: "old-token-secrets",
    rows: { least: 25, most: 25 },
    async jobs() {
      return (await find(db, 25)).length === 0 ? [] : [{ remove: (_lease, limit) => removeBatch(limit) }];
    },
  };

  /** The partition's own counter guards it and not the lease, as for expired tokens. */
  async function removeBatch(limit: number): Promise<RemovedBatch> {
    const [first] = await find(db, limit);
    if (first === undefined) return { removed: 0, isLast: true };
    return changeRegardless({ db }, first, async (tx, change) => {
      tx.unrecorded("an expired old secret: the rotation has a record");
      const here = (await find(tx, limit)).filter((row) => isIn(row, first));
      if (here.length > 0) tx.write(remove, { lookups: here.map((row) => row.secret_lookup) });
      for (const row of here) change(TOKENS, row.accessor_id);
      return { removed: here.length, isLast: here.length === 0 };
    });
  }
}

/**
 * Secrets that tokens had before they were rotated. Each counts until its end, and no longer than its token: whoever shows one
 * is who has that token. Only what finds them is stored; nobody is shown them again.
 */
import type { Database, Reader, Transaction } from "../../storage/database.ts";
import { checkProof, isIntact, provenRows } from "../../storage/proofs.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/query.ts";
import type { Removal } from "../../storage/removal.ts";
import type { Tables } from "../../storage/tables.ts";
import { sql } from "kysely";

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
  db.selectFrom("token_secrets").selectAll().where("expires_at", "<=", p.now).orderBy("expires_at").limit(p.limit),
);
const remove = defineQuery((db, p: { lookups: readonly string[] }, engine) =>
  db.deleteFrom("token_secrets").where(oneOf(engine, sql.ref("secret_lookup"), p.lookups)),
);
const EVERY_MS = 10_000;

/** Removes old secrets whose end has passed: they no longer authenticate. @param now milliseconds since the epoch */
export function endedSecrets(db: Database, now: () => number): Removal {
  // The end of a damaged secret is unknown.
  const find = async (from: Reader, limit: number) =>
    (await from.run(ended, { now: now(), limit })).filter((row) => isIntact("token_secrets", row));
  return {
    lease: "old-token-secrets",
    rows: { least: 25, most: 25 },
    everyMs: EVERY_MS,
    async jobs() {
      if ((await find(db, 25)).length === 0) return [];
      return [
        {
          remove: (lease, limit) =>
            db.inTransaction(lease, async (tx) => {
              tx.unrecorded("a secret that had an end, which its rotation says");
              const rows = await find(tx, limit);
              if (rows.length > 0) tx.write(remove, { lookups: rows.map((row) => row.secret_lookup) });
              return { removed: rows.length, isLast: rows.length < limit };
            }),
        },
      ];
    },
  };
}

/**
 * Requests that may be sent again: whoever lost the answer repeats the request
 * with the same `Idempotency-Key` and is given what the first one made, a binding rule or a token's new secret.
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { definePoint, defineQuery } from "../storage/reads/query.ts";
import type { Tables } from "../storage/tables/tables.ts";
import type { Scope } from "../rights/scope.ts";

/** A key as a request gives it, with what the request wants. */
export interface IdempotentRequest {
  key: string;
  /** All that the request says, in a form that equal requests share. */
  body: unknown;
}

/** Kind of work under a key, and the time for which it can be repeated. */
export interface Repeatable {
  /** Keys of each kind are separate; undefined for binding rules, whose keys existed before others. */
  kind?: string;
  /** Noun in the error of another request under the key. */
  noun: string;
  keptMs: number;
}

export const REPEATED_RULES: Repeatable = { noun: "binding rule", keptMs: 24 * 60 * 60 * 1000 };
/** Shorter: what it gives again is a secret. */
export const ROTATIONS: Repeatable = { kind: "rotation", noun: "rotation", keptMs: 10 * 60 * 1000 };

/** Maximum number of keys of one token in one namespace, at a time. */
const MOST_KEYS = 1000;
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the header.
 *
 * @throws AppError `bad_parameter`
 */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !KEY.test(header)) {
    throw new AppError("bad_parameter", "Invalid Idempotency-Key: it must be 1 to 255 visible ASCII characters");
  }
  return header;
}

/** A request under a key, as it is noted. */
export interface Noted {
  /**
   * Returns the note of an earlier request; undefined for the first one.
   *
   * @throws AppError `conflict` when the earlier request had other content
   */
  find(db: Reader): Promise<string | undefined>;
  /**
   * Returns the note as `find` does, as the only writer, which may be the first.
   *
   * @throws AppError also `rate_limited` when the request would be the first, and the token has too many keys
   */
  findOrCheckRoom(tx: Transaction): Promise<string | undefined>;
  note(tx: Transaction, made: string): void;
}

/** The request that this one is, or repeats. */
export function noted(
  ctx: Pick<Context, "actor" | "now">,
  scope: Scope,
  { key, body }: IdempotentRequest,
  { kind, noun, keptMs }: Repeatable,
): Noted {
  const { accessorId } = ctx.actor;
  const { partition, namespace } = scope;
  const own = { accessor_id: accessorId, partition, namespace };
  const id = digest([accessorId, partition, namespace, key, ...(kind === undefined ? [] : [kind])]);
  const bodyHash = digest(body);

  async function find(db: Reader): Promise<string | undefined> {
    const found = await findKey(db, id);
    if (found === undefined || found.expires_at <= ctx.now()) return undefined;
    if (found.body_hash === bodyHash) return found.rule_id;
    throw new AppError("conflict", `The Idempotency-Key was used for another ${noun}`);
  }

  return {
    find,
    async findOrCheckRoom(tx) {
      const [earlier, ends] = await Promise.all([find(tx), listKeyEnds(tx, own, ctx.now(), MOST_KEYS)]);
      // A repeat of the request that took the last place gets its answer.
      if (earlier !== undefined || ends.length < MOST_KEYS) return earlier;
      const text = `The token has used ${MOST_KEYS} Idempotency-Keys in this namespace within 24 hours`;
      const retryAfterSeconds = Math.ceil((Math.min(...ends) - ctx.now()) / 1000);
      throw new AppError("rate_limited", text, { retryAfterSeconds });
    },
    note: (tx, made) =>
      insertKey(tx, { ...own, id, body_hash: bodyHash, rule_id: made, expires_at: ctx.now() + keptMs }),
  };
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

const byId = definePoint("idempotency_keys.id", (db) => db.selectFrom("idempotency_keys").selectAll());

/** Returns the earlier request under this key, also one that is too old to apply. */
function findKey(db: Reader, id: string): Promise<Tables["idempotency_keys"] | undefined> {
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
async function listKeyEnds(
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

function insertKey(tx: Transaction, key: Tables["idempotency_keys"]): void {
  tx.write(insert, key);
}

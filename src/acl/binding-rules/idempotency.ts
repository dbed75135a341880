/**
 * Creations that may be sent again: whoever lost the answer repeats the request
 * with the same `Idempotency-Key` and is given the rule that the first one made.
 */
import { createHash } from "node:crypto";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import type { Scope } from "../scope.ts";
import { listKeyEnds, findKey, insertKey } from "./store.ts";

/** A key as a request gives it, with what the request wants. */
export interface IdempotentRequest {
  key: string;
  /** All that the request says, in a form that equal requests share. */
  body: unknown;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
/** Of one token in one namespace, at a time. */
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

/** A creation under a key, as it is noted. */
export interface Noted {
  /**
   * The rule that an earlier request made; undefined for the first one.
   *
   * @throws AppError `conflict` when that one wanted something else
   */
  find(db: Reader): Promise<string | undefined>;
  /**
   * The same as the only writer, who may be the first.
   *
   * @throws AppError also `rate_limited` when it would be, and the token has too many keys
   */
  findOrCheckRoom(tx: Transaction): Promise<string | undefined>;
  note(tx: Transaction, bindingRuleId: string): void;
}

/** The creation that this request is, or repeats. */
export function noted(ctx: Pick<Context, "actor" | "now">, scope: Scope, { key, body }: IdempotentRequest): Noted {
  const { accessorId } = ctx.actor;
  const { partition, namespace } = scope;
  const own = { accessor_id: accessorId, partition, namespace };
  const id = digest([accessorId, partition, namespace, key]);
  const bodyHash = digest(body);

  async function find(db: Reader): Promise<string | undefined> {
    const found = await findKey(db, id);
    if (found === undefined || found.expires_at <= ctx.now()) return undefined;
    if (found.body_hash === bodyHash) return found.rule_id;
    throw new AppError("conflict", "The Idempotency-Key was used for another binding rule");
  }

  return {
    find,
    async findOrCheckRoom(tx) {
      const [earlier, ends] = await Promise.all([find(tx), listKeyEnds(tx, own, ctx.now(), MOST_KEYS)]);
      // Whoever repeats what has taken the last place is told of it.
      if (earlier !== undefined || ends.length < MOST_KEYS) return earlier;
      const text = `The token has used ${MOST_KEYS} Idempotency-Keys in this namespace within 24 hours`;
      const retryAfterSeconds = Math.ceil((Math.min(...ends) - ctx.now()) / 1000);
      throw new AppError("rate_limited", text, { retryAfterSeconds });
    },
    note: (tx, bindingRuleId) =>
      insertKey(tx, { ...own, id, body_hash: bodyHash, rule_id: bindingRuleId, expires_at: ctx.now() + KEPT_MS }),
  };
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

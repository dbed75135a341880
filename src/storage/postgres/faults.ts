/** PostgreSQL's errors and those of its connections in our words, and what they prove. */
import pg from "pg";
import { AppError, StorageAway, StorageRefused } from "../../errors.ts";

/** SQLSTATE of a write on a server, or in a session, that only reads. */
export const READ_ONLY = "25006";
/** SQLSTATE of a session that ended since nothing was asked in its transaction (`idle_in_transaction_session_timeout`). */
export const IDLE_TOO_LONG = "25P03";

/** A deadlock or a serialization failure: the transaction had no effect and may be run again. */
export class RetryTransaction extends Error {}

/**
 * The database ended a transaction in which nothing was asked for too long, as when this process stood still. It was
 * undone, and what was sent behind its end, a COMMIT too, was never read.
 */
export class TransactionExpired extends StorageAway {
  constructor(cause?: unknown) {
    super("The database ended the idle transaction; nothing was written. Retry", {
      cause,
    });
  }
}

/**
 * Whether the server itself has answered a statement of a transaction with an error: that undid the transaction, whatever
 * was sent behind it. What ends a connection (08, 57) may be a pooler's word, which need not know what the server did.
 */
export function isRefusal(error: unknown): boolean {
  const answer = error instanceof pg.DatabaseError ? error : error instanceof Error ? error.cause : undefined;
  return answer instanceof pg.DatabaseError && !/^(?:08|57|$)/.test(answer.code ?? "");
}

/**
 * Turns an error of PostgreSQL or of the connection into one of ours, by its SQLSTATE.
 *
 * @param statement text of the statement that it answers
 */
export function translatePostgresError(error: unknown, statement = ""): unknown {
  if (error instanceof AppError || error instanceof TypeError || error instanceof RangeError) return error;
  const code = error instanceof pg.DatabaseError ? (error.code ?? "") : undefined;
  // No SQLSTATE: the connection broke.
  if (code === undefined) return unavailable("The database does not respond; retry later", error);
  if (code === "23505") return new AppError("already_exists", "Name has already been taken", { cause: error });
  if (code === "23503") return new AppError("not_found", "A linked object was deleted", { cause: error });
  if (code === "40001" || code === "40P01") return new RetryTransaction(String(error), { cause: error });
  if (code === "55P03") return unavailable("Another write takes too long; retry later", error);
  if (code === IDLE_TOO_LONG) return new TransactionExpired(error);
  if (code === "57014") return unavailable("The database responds too slowly; retry later", error);
  if (code.startsWith("53")) return unavailable("The database is out of resources; retry later", error);
  if (code === READ_ONLY || code.startsWith("57P") || code.startsWith("08")) {
    return unavailable("The database does not accept writes; retry later", error);
  }
  return new StorageRefused(code, statement, error);
}

/** The storage is away, and nothing was done. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new StorageAway(message, { cause });
}

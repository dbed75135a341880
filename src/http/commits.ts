import type { FastifyRequest } from "fastify";
import { CallerGone, throwIfGone } from "../callers.ts";
import type { Context } from "../context.ts";
import { AppError, StorageAway } from "../errors.ts";
import type { AuditEntry, Database, Transaction } from "../storage/database.ts";
import { originOf } from "./origin.ts";

/**
 * The database for one request: what it changes is put on record as the request's. It notes whether the request has
 * committed anything: what fails afterwards must not tell the client that nothing happened. A condition that the request makes
 * holds in its first transaction. A client that has gone before that begins nothing; once it is begun, the request comes to its end.
 */
export function databaseOf(db: Database, request: FastifyRequest): Database {
  // Reads make up most of the load and commit nothing.
  if (request.raw.method === "GET" || request.route.config.question === true) return db;
  return {
    ...db,
    async inTransaction(counter, work) {
      const { precondition } = request;
      request.precondition = undefined;
      throwIfGone();
      let written: AuditEntry[] = [];
      const run = (done: typeof work) =>
        db.inTransaction(
          counter,
          (tx) => {
            // Not before: it may have waited for its turn.
            request.caller.begin();
            return done(noting(tx, (written = [])));
          },
          () => originOf(request),
        );
      const result =
        precondition === undefined
          ? await run(work)
          : await precondition(counter, (check) =>
              run(async (tx) => {
                await check(tx);
                return work(tx);
              }),
            );
      request.hasCommitted = true;
      await noteOwners(request, written);
      return result;
    },
  };
}

/** A transaction that notes what it puts on record. */
function noting(tx: Transaction, written: AuditEntry[]): Transaction {
  return {
    ...tx,
    record(entry) {
      written.push(entry);
      tx.record(entry);
    },
  };
}

/** Whose objects were written is for the answer to say. What was written stays written, whether or not that is known. */
async function noteOwners(request: FastifyRequest, written: readonly AuditEntry[]): Promise<void> {
  try {
    // A login has no caller whose rights could be asked.
    const { actor } = (request.ctx as Partial<Context> | undefined) ?? {};
    const owners = actor === undefined ? undefined : await request.server.owners.of(actor, written);
    if (owners !== undefined) request.owners = [...new Set([...(request.owners ?? []), ...owners])];
  } catch (err) {
    request.log.warn({ err, requestId: request.id }, "whose objects were written could not be read");
  }
}

/**
 * What a failure is for the client. When storage goes away between a commit and
 * the reads that its answer needs, the client cannot be told what it has made.
 */
export function asSeenByClient(error: unknown, { hasCommitted }: FastifyRequest): unknown {
  // The client is there: this was the end of work of another's, which should have gone on.
  if (error instanceof CallerGone)
    return new AppError("unavailable", "What this was waiting for has ended, try again", { cause: error });
  if (!hasCommitted || !(error instanceof StorageAway)) return error;
  return new AppError(
    "outcome_unknown",
    "The database went away when the write had been made and before it could be shown; its outcome is unknown to this server",
    { cause: error },
  );
}

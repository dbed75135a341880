import type { FastifyRequest } from "fastify";
import { CallerGone, throwIfGone } from "../../callers.ts";
import type { FindOwners } from "../../owners.ts";
import { withWritten } from "../../storage/writes/written.ts";
import type { Actor } from "../../rights/actor.ts";
import { authorize, unnoted } from "../../rights/authorize.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { withRecorder } from "../../records/uses/recorder.ts";
import type { Context } from "../../context.ts";
import { AppError, StorageAway, StorageRefused } from "../../errors.ts";
import type { AuditEntry, Database, Reader, Transaction } from "../../storage/database.ts";
import { changeReasonOf, originOf } from "../receiving/origin.ts";

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
      const findOwners = await findOwnersFor(request);
      const run = (done: typeof work) =>
        db.inTransaction(
          counter,
          (tx) => {
            // Not before: it may have waited for its turn.
            request.caller.begin();
            return findOwners === undefined ? done(tx) : noting(request, findOwners, tx, done);
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
      return result;
    },
  };
}

/** The context that services are given for a request. @throws AppError `bad_parameter` for a reason that is not one */
export function contextOf(request: FastifyRequest, { db, now }: Pick<Context, "db" | "now">, actor: Actor): Context {
  const { id: requestId, log } = request;
  // Before any work: a write without a record would ignore a reason that cannot be recorded.
  changeReasonOf(request);
  const noted = withRecorder(request.server.useMemory, actor);
  return { db: databaseOf(db, request), actor: noted, requestId, log, now, leavesOwned: leavesOwned(request) };
}

/** Does the work of a transaction, and notes whose objects it puts on record. */
async function noting<T>(
  request: FastifyRequest,
  findOwners: FindOwners,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { result, written } = await withWritten(tx, work);
  await noteOwners(request, tx, written, findOwners);
  return result;
}

/** By this a client asks to be refused what a directory of files owns. */
const UNOWNED_HEADER = "x-tessera-unowned";
/** In place of the name of an owner that the caller may not read; no directory is called so. */
const UNNAMED = "?";

/** Whether a request leaves alone what a directory of files owns: also where it has asked in words of its own. */
export function leavesOwned({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const asked = headers[UNOWNED_HEADER];
  return asked !== undefined && asked !== "false";
}

/** Finds whose objects a transaction of this request has written; undefined where nobody owns anything. */
async function findOwnersFor(request: FastifyRequest): Promise<FindOwners | undefined> {
  // A login has no caller, and writes nothing that files say.
  if ((request.ctx as Partial<Context> | undefined)?.actor === undefined) return undefined;
  return request.server.owners.near(request.scope?.partition ?? DEFAULT_SCOPE.partition);
}

/** @throws AppError `conflict`, or `precondition_failed` under `/api/v2`, when somebody owns what was written and the client has asked not to write that */
async function noteOwners(
  request: FastifyRequest,
  tx: Reader,
  written: readonly AuditEntry[],
  find: FindOwners,
): Promise<void> {
  const found = await find(tx, written);
  const mayRead = (partition: string) =>
    authorize(unnoted(request.ctx.actor), "acl", "", "read", { ...DEFAULT_SCOPE, partition });
  const named = found.flatMap(({ name, partition }) => (mayRead(partition) ? [name] : []));
  const isRefused = found.length > 0 && leavesOwned(request);
  const said = isRefused && named.length < found.length ? [...named, UNNAMED] : named;
  request.owners = [...new Set([...(request.owners ?? []), ...said])];
  if (!isRefused) return;
  const code = request.route.pattern.startsWith("/api/v2/") ? "precondition_failed" : "conflict";
  const whose = named.length === 0 ? "an owner you may not read" : named.join(", ");
  throw new AppError(code, `The object or its contents are managed by ${whose}, a directory of declared files`);
}

/**
 * Error that a client gets for a failure. When storage becomes unreachable between a commit and the reads that the
 * answer needs, the server cannot tell the client what it has written: the outcome is unknown.
 */
export function asSeenByClient(error: unknown, { hasCommitted, id }: FastifyRequest): unknown {
  // The client is there: this was the end of work of another's, which should have gone on.
  if (error instanceof CallerGone)
    return new AppError("unavailable", "The request was interrupted on the server; retry", { cause: error });
  if (!(error instanceof StorageAway || error instanceof StorageRefused)) return error;
  if (!hasCommitted) return error instanceof StorageRefused ? told(error, id) : error;
  return new AppError(
    "outcome_unknown",
    "The database connection was lost during the write. The outcome of the write is unknown",
    { cause: error },
  );
}

/** The client learns where the reason is; the log has the statement, which is none of its business. */
function told({ sqlState, statement, cause }: StorageRefused, requestId: string): AppError {
  const message = `Storage refused the request. The server log has details under request ID ${requestId}`;
  return new StorageRefused(sqlState, statement, cause, message);
}

/** Logs the cause of a failure that the client is told of; an error that only we can mend as one. */
export function logCause(error: AppError, { log, id: requestId }: FastifyRequest): void {
  if (error.cause === undefined) return;
  if (!(error instanceof StorageRefused)) return log.warn({ err: error, requestId }, "request failed");
  const { sqlState, statement } = error;
  log.error({ err: error, requestId, sqlState, statement }, "storage rejected a statement");
}

/**
 * Does revocations, on one node at a time: slice by slice, in turns with those of other namespaces. What a slice deletes and where
 * the next one goes on are one transaction, so a stop at any point leaves nothing half done. Who asked has to be there, and to have
 * the right, until the end.
 */
import type { FastifyBaseLogger } from "fastify";
import { AppError } from "../../../errors.ts";
import type { Database, WriteOrigin, Transaction } from "../../../storage/database.ts";
import { checkLease, type Lease } from "../../../storage/feed/lease.ts";
import type { RemovedBatch, Removal, RemovalJob } from "../../../storage/operator/removal.ts";
import type { Actor } from "../../../rights/actor.ts";
import { authorize } from "../../../rights/authorize.ts";
import { leavingOwned, ownersOf } from "../../declarations/owners.ts";
import { revokeTokens } from "../service.ts";
import { countTokens, findFitting, listTokens } from "../store.ts";
import { findRevocation, listOpen, updateRevocation, type Revocation } from "./store.ts";
import { spared } from "./service.ts";

export interface RevocationOptions {
  /**
   * Returns the actor whose token has this AccessorID, as of now; undefined when there is none, "uncertain" when the token may have
   * ended by a clock in doubt alone.
   */
  actorOf: (accessorId: string) => Promise<Actor | "uncertain" | undefined>;
  /** Milliseconds since the epoch, by the database's clock. */
  now: () => number;
  log: Pick<FastifyBaseLogger, "info" | "error">;
}

/** Number of revocations in one round, each of a different namespace. */
const AT_A_TIME = 8;
/** Number of slices of one revocation before the next has its turn. */
const SLICES = 20;

/** Returns the revocations as a removal. */
export function openRevocations(db: Database, options: RevocationOptions): Removal {
  return {
    lease: "token-revocations",
    rows: { least: 5, most: 25 },
    jobs: async () => (await listOpen(db, AT_A_TIME)).map((revocation) => turnOf(db, options, revocation)),
  };
}

/** Some slices of one, of which each begins with how far it is by then. */
function turnOf(db: Database, options: RevocationOptions, { id, scope }: Revocation): RemovalJob {
  let slices = 0;
  return {
    async remove(lease, limit) {
      slices += 1;
      const revocation = await findRevocation(db, scope, id);
      if (revocation === undefined || revocation.finishedAt !== "") return { removed: 0, isLast: true };
      const batch = await doSlice(db, options, lease, revocation, limit).catch((error: unknown) =>
        giveUp(db, options, lease, revocation, error),
      );
      return { ...batch, isLast: batch.isLast || slices === SLICES };
    },
  };
}

async function doSlice(
  db: Database,
  { actorOf, now }: RevocationOptions,
  lease: Lease,
  revocation: Revocation,
  limit: number,
): Promise<RemovedBatch> {
  const { scope, filter, accessorId, place } = revocation;
  // A token that has ended by a clock in doubt alone counts again once that is set: it must go too.
  const living = db.forGood.now;
  const actor = await actorOf(accessorId);
  // A revocation that failed stays failed, so it waits until the clock is trusted.
  if (actor === "uncertain") return { removed: 0, isLast: true };
  if (actor === undefined)
    throw new AppError("forbidden", "The token that started this job was deleted, was disabled or has expired");
  if (!authorize(actor, "acl", "", "write", scope)) {
    throw new AppError("forbidden", "The token that started this job may no longer write tokens");
  }
  if (revocation.total === -1) {
    const total = await countTokens(db.long, scope, filter, living(), spared(accessorId));
    await change(db, lease, revocation, () => Promise.resolve({ ...revocation, status: "running", total }), now);
    // Counted as something, since there is more to do.
    return { removed: 1, isLast: false };
  }
  const page = { after: place, size: limit, search: "" };
  const found = (await listTokens(db.long, scope, filter, page, living())).map((token) => token.accessorId);
  const isLast = found.length < limit;
  const began = { at: 0 };
  const removed = await change(
    db,
    lease,
    revocation,
    async (tx) => {
      began.at = performance.now();
      const revoked = revocation.revoked + (await removeFitting(tx, revocation, found, living()));
      const next = { ...revocation, status: "running" as const, revoked, place: found.at(-1) ?? place };
      return isLast ? ended(next, "done", now()) : next;
    },
    now,
  );
  return { removed: removed ? Math.max(found.length, 1) : 0, isLast, milliseconds: performance.now() - began.at };
}

/** Deletes those of the tokens that still fit. @returns how many */
async function removeFitting(
  tx: Transaction,
  { scope, filter, accessorId }: Revocation,
  found: readonly string[],
  now: number,
): Promise<number> {
  const except = spared(accessorId);
  const candidates = found.filter((id) => !except.includes(id));
  if (candidates.length === 0) return 0;
  const tokens = await findFitting(tx, scope, filter, now, candidates);
  revokeTokens(tx, scope, tokens);
  return tokens.length;
}

/** Origin of the deletions: the records name the caller who started the revocation, and the revocation's ID. */
function originOf({ id: job, accessorId, requestId }: Revocation): WriteOrigin {
  return { accessorId, requestId, detail: { job, route: "job" } };
}

/**
 * Changes a revocation, unless it has changed since it was read.
 *
 * @returns whether it did
 * @throws AppError `conflict` when another node has taken over
 */
async function change(
  db: Database,
  lease: Lease,
  seen: Revocation,
  to: (tx: Transaction) => Promise<Revocation>,
  now: () => number,
): Promise<boolean> {
  const { id, scope, place, total, filter } = seen;
  const findOwners = filter.leavesOwned === true ? await ownersOf(db).near(scope.partition) : undefined;
  const work = async (tx: Transaction): Promise<boolean> => {
    const [current] = await Promise.all([findRevocation(tx, scope, id), checkLease(tx, lease)]);
    // Gone with its namespace, or another node, which took this one for dead, has gone on.
    if (current?.finishedAt !== "" || current.place !== place || current.total !== total) return false;
    const after = await (findOwners === undefined ? to(tx) : leavingOwned(findOwners, tx, to));
    updateRevocation(tx, { ...after, updatedAt: new Date(now()).toISOString() });
    tx.unrecorded("how far a revocation is");
    return true;
  };
  return db.inTransaction({ kind: "partition", name: scope.partition }, work, () => originOf(seen));
}

/** Ends a revocation and stores the error in it. For a temporary error it throws, and the work is retried. */
async function giveUp(
  db: Database,
  { log, now }: RevocationOptions,
  lease: Lease,
  revocation: Revocation,
  error: unknown,
): Promise<RemovedBatch> {
  const isOurs = !(error instanceof AppError);
  if (!isOurs && ["unavailable", "outcome_unknown", "conflict"].includes(error.code)) throw error;
  if (isOurs) log.error({ err: error, revocation: revocation.id }, "token revocation step failed");
  const reason = isOurs ? "Internal error. See the server log" : error.message;
  log.info({ revocation: revocation.id, reason }, "token revocation failed");
  await change(db, lease, revocation, () => Promise.resolve(ended({ ...revocation, reason }, "failed", now())), now);
  return { removed: 0, isLast: true };
}

function ended(revocation: Revocation, status: "done" | "failed", now: number): Revocation {
  return { ...revocation, status, finishedAt: new Date(now).toISOString() };
}

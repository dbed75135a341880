/**
 * Places for the files of an organization: each file has one from its first byte until its preview is answered or its job has ended.
 * The rows say who has them, so they hold for all servers of a database, and after a restart.
 */
import { callerNow } from "../../../callers.ts";
import { AppError, invalid } from "../../../errors.ts";
import { createPool, poolRefusalText, type PoolHolder, type PoolRefusal } from "../../../shared-pool.ts";
import type { ImportOwner } from "./store.ts";

/** Files that one token sends at a time, to whichever organizations. */
export const MAX_RECEIVED_OF_TOKEN = 16;

/** Files that this process receives, of all organizations. */
const received = createPool("receivedFiles");

/**
 * Counts one more file that is received.
 *
 * @returns what takes it off again, to be called once
 * @throws AppError `rate_limited` when too many are received already, in all or of this token
 */
export function beginReceiving(): () => void {
  const owner = callerNow()?.owner;
  const refused = (whose: string, why: PoolRefusal) =>
    new AppError("rate_limited", poolRefusalText(`Too many files ${whose} are being received`, why), {
      retryAfterSeconds: 1,
    });
  if (owner !== undefined && received.heldBy(owner.name) >= MAX_RECEIVED_OF_TOKEN)
    throw refused("of one token", "full");
  const refusal = received.take(owner);
  if (refusal !== undefined) throw refused("in total", refusal);
  return () => received.give(owner);
}

/** In all, and those of all who may not write the organization. */
export const MAX_IMPORTS = { all: 8, ofOthers: 4 };

/**
 * Whether there is a place for one more file. One caller leaves some to others.
 *
 * @param owners whose the files are that have places
 * @param next whose the next one is
 * @throws AppError `invalid` when all places are taken, or those that are left are kept for others
 */
export function takePlace(owners: readonly ImportOwner[], next: ImportOwner): void {
  refuseIn("files", MAX_IMPORTS.all, owners, next);
  if (next.byWriter === 1) return;
  const others = owners.filter(({ byWriter }) => byWriter === 0);
  refuseIn("filesOfOthers", MAX_IMPORTS.ofOthers, others, next);
}

const WHOSE = { files: "files", filesOfOthers: "files of callers without write permission on the organization" };

function refuseIn(name: keyof typeof WHOSE, size: number, owners: readonly ImportOwner[], next: ImportOwner): void {
  const pool = createPool(name, size);
  for (const owner of owners) pool.force(holderOf(owner));
  const refusal = pool.take(holderOf(next));
  if (refusal === undefined) return;
  throw invalid(
    poolRefusalText(`At most ${size} ${WHOSE[name]} can be imported into an organization at a time`, refusal),
  );
}

/** A file of a version that did not note it is nobody's in particular. */
function holderOf({ accessorId, scope }: ImportOwner): PoolHolder | undefined {
  // The anonymous token has the same ID everywhere.
  return accessorId === "" ? undefined : { name: `${scope}/${accessorId}`, group: scope };
}

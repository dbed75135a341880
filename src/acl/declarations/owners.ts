/**
 * Finds the owners of the objects that a transaction writes. The header `X-Tessera-Owner` of an answer names them, and
 * a client that sends `X-Tessera-Unowned` is denied such writes. This applies to every writer, whether it may read
 * declarations or not.
 */
import { AppError } from "../../errors.ts";
import type { AuditEntry, Database, Reader, Transaction } from "../../storage/database.ts";
import { withWritten } from "../../storage/writes/written.ts";
import type { DeclaredOwner, FindOwners, OrganizationName, Owners } from "../../owners.ts";
import type { Feed } from "../../storage/feed/feed.ts";
import { createDerivedCache } from "../../storage/reads/derived-cache.ts";
import { DECLARATIONS } from "../../rights/kinds.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { createElsewhere } from "./elsewhere.ts";
import { keysOf } from "./owned-keys.ts";
import { OBJECT_BYTES, readOwned, type OwnedIndex } from "./owned-index.ts";

/** Maximum bytes of the owners of all partitions; the least recently used partition is read again when needed. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Owners that are named. */
const MOST_NAMED = 8;
/** Actions of which files say nothing. */
const ASIDE: ReadonlySet<string> = new Set([
  "lock",
  "unlock",
  "force-unlock",
  "change-state-consumers",
  "rotate",
  "reveal",
]);

/** One for each database of a process. */
const known = new WeakMap<Feed, Owners>();

/** The owners in a database: the same for all who ask, requests and jobs. */
export function ownersOf(db: Database): Owners {
  const owners = known.get(db.feed) ?? createOwners(db);
  known.set(db.feed, owners);
  return owners;
}

const NO_ORGANIZATION: OrganizationName = () => Promise.resolve(undefined);

function createOwners(db: Database): Owners {
  const cache = createDerivedCache<OwnedIndex>({
    feed: db.feed,
    name: "owners",
    maxBytes: MOST_BYTES,
    sizeOf: ({ byKey }) => byKey.size * OBJECT_BYTES,
  });
  const elsewhere = createElsewhere(db);

  const indexOf = (partition: string): OwnedIndex | Promise<OwnedIndex> =>
    cache.get(partition) ??
    cache.fill(
      partition,
      () => readOwned(db, partition),
      () => [{ partition, table: DECLARATIONS }],
    );

  /** Declarations of `default` may own whatever there is, so they are always looked at. */
  function finderOf(
    partition: string,
    organizationName: OrganizationName,
    home: OwnedIndex,
    common: OwnedIndex,
  ): FindOwners | undefined {
    const indexes = new Map([...elsewhere.known(), [DEFAULT_SCOPE.partition, common], [partition, home]]);
    if ([...indexes.values()].every(({ byKey }) => byKey.size === 0)) return undefined;
    return async (reader, written) => {
      const found = new Map<string, DeclaredOwner>();
      const nameOf = onceEach((id) => organizationName(reader, id));
      for (const entry of written) {
        if (ASIDE.has(entry.action)) continue;
        const { keys, isAround } = await keysOf(entry, nameOf);
        const others = entry.kind === "partition" && isAround ? [[entry.name, await indexOf(entry.name)] as const] : [];
        for (const [place, { byKey, around }] of [...indexes, ...others]) {
          for (const key of keys) {
            const names = [byKey.get(key), ...((isAround && around.get(key)) || [])];
            for (const name of names) if (name !== undefined) found.set(`${place}/${name}`, { name, partition: place });
          }
        }
        if (found.size >= MOST_NAMED) break;
      }
      return [...found.values()].slice(0, MOST_NAMED);
    };
  }

  return {
    near(partition, organizationName = NO_ORGANIZATION) {
      const common = indexOf(DEFAULT_SCOPE.partition);
      const home = partition === DEFAULT_SCOPE.partition ? common : indexOf(partition);
      const fresh = elsewhere.refresh();
      // Asked before each write: nothing is awaited where all is known.
      if (fresh === undefined && !(home instanceof Promise) && !(common instanceof Promise)) {
        return finderOf(partition, organizationName, home, common);
      }
      return Promise.all([home, common, fresh]).then(([one, other]) =>
        finderOf(partition, organizationName, one, other),
      );
    },
  };
}

/** Finds which of these objects are owned, before they are written. @param entryOf what the record of the write will say of one */
export type OwnedAmong = <T>(
  db: Reader,
  objects: readonly T[],
  entryOf: (object: T) => AuditEntry,
) => Promise<ReadonlySet<T>>;

/** Finds nothing, for work that leaves nothing alone. */
export const NOTHING_OWNED: OwnedAmong = () => Promise.resolve(new Set());

/** Makes the search for owned objects from one for owners. */
export function ownedAmong(find: FindOwners): OwnedAmong {
  return async (db, objects, entryOf) => {
    const owned = new Set<(typeof objects)[number]>();
    // Mostly none of them is.
    if ((await find(db, objects.map(entryOf))).length === 0) return owned;
    for (const each of objects) if ((await find(db, [entryOf(each)])).length > 0) owned.add(each);
    return owned;
  };
}

/** The records of a transaction are those of one organization, or of few. */
function onceEach(find: (id: string) => Promise<string | undefined>): (id: string) => Promise<string | undefined> {
  const found = new Map<string, Promise<string | undefined>>();
  return (id) => {
    const name = found.get(id) ?? find(id);
    found.set(id, name);
    return name;
  };
}

/**
 * Does a piece of work that goes on after its request, for one that asked to leave alone what others own.
 *
 * @throws AppError `precondition_failed` when it writes some of that
 */
export async function leavingOwned<T>(
  find: FindOwners,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { result, written } = await withWritten(tx, work);
  if ((await find(tx, written)).length === 0) return result;
  // The error names no owner: its reader may have fewer permissions than the caller.
  throw new AppError(
    "precondition_failed",
    "Stopped: the next object is managed by a directory of declared files. Earlier changes are kept",
  );
}

/**
 * Whose objects are that a request has written: what `X-Tessera-Owner` of its answer says. Nothing is refused for it; clients
 * that know of owners ask before they write.
 */
import type { AuditEntry, Database } from "../../storage/database.ts";
import { createDerivedCache } from "../../storage/derived-cache.ts";
import type { Actor } from "../actor.ts";
import { authorize } from "../authorize.ts";
import { DECLARATIONS } from "../kinds.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import { declarationStore } from "./store.ts";

/** Names an organization by its ID; undefined when it is gone. */
export type OrganizationName = (id: string) => Promise<string | undefined>;

export interface Owners {
  /**
   * The owners of what was written, each once, in the order of what was written; none that the caller may not read.
   *
   * @param written what a transaction has put on record
   */
  of(actor: Pick<Actor, "rights">, written: readonly AuditEntry[]): Promise<string[]> | undefined;
}

/** Owners by the keys of their objects, for one partition. */
type ByKey = ReadonlyMap<string, string>;

/** Of more objects in a partition nobody is told whose they are: they would take more memory than it is worth. */
const MOST_OBJECTS = 100_000;
const MOST_BYTES = 32 * 1024 * 1024;
const OBJECT_BYTES = 150;
/** Declarations that are read at once, each of which may be a megabyte. */
const AT_ONCE = 4;
/** So many objects of one request are looked for, and so many owners named. */
const MOST_WRITTEN = 1000;
const MOST_NAMED = 8;

export function createOwners(db: Database, organizationName: OrganizationName): Owners {
  const cache = createDerivedCache<ByKey>({
    feed: db.feed,
    name: "owners",
    maxBytes: MOST_BYTES,
    sizeOf: (owners) => owners.size * OBJECT_BYTES,
  });

  const ownersIn = (partition: string): ByKey | Promise<ByKey> =>
    cache.get(partition) ??
    cache.fill(
      partition,
      () => readOwners(db, partition),
      () => [{ partition, table: DECLARATIONS }],
    );

  async function find(partition: string, written: readonly AuditEntry[]): Promise<string[]> {
    const owners = await ownersIn(partition);
    const found = new Set<string>();
    if (owners.size === 0) return [];
    for (const entry of written.slice(0, MOST_WRITTEN)) {
      const owner = owners.get(await keyOf(entry, organizationName));
      if (owner !== undefined) found.add(owner);
      if (found.size === MOST_NAMED) break;
    }
    return [...found];
  }

  return {
    of(actor, written) {
      const partition = written[0]?.partition ?? DEFAULT_SCOPE.partition;
      // Declarations lie where all of a partition can be written from; their names are for who may read them there.
      if (written.length === 0 || !authorize(actor, "acl", "", "read", { ...DEFAULT_SCOPE, partition }))
        return undefined;
      if (cache.get(partition)?.size === 0) return undefined;
      return find(partition, written);
    },
  };
}

async function readOwners(db: Database, partition: string): Promise<ByKey> {
  const owners = new Map<string, string>();
  const scope = { ...DEFAULT_SCOPE, partition };
  for (let after = ""; ;) {
    const some = await declarationStore.list(db, scope, { after, search: "", size: AT_ONCE });
    for (const { name, objects } of some) for (const key of objects) owners.set(key, name);
    if (owners.size > MOST_OBJECTS) return new Map();
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) return owners;
    after = declarationStore.sortKey(last);
  }
}

/** What declared files find an object by: its kind, where it lies and its name; see docs/declared.md. */
async function keyOf(
  { kind, partition = "", namespace = "", organizationId, objectId, name }: AuditEntry,
  organizationName: OrganizationName,
): Promise<string> {
  const place =
    organizationId !== undefined
      ? [...(kind === "organization" ? [] : [await organizationName(organizationId)])]
      : kind === "partition"
        ? []
        : kind === "namespace"
          ? [partition]
          : [partition, namespace];
  return `${kind} ${[...place, kind === "token" ? objectId : name].join("/")}`.toLowerCase();
}

/**
 * Whose objects a request writes: what `X-Tessera-Owner` of its answer says. Only a client that asks for it by `X-Tessera-Unowned`
 * is refused to write what somebody owns.
 */
import { fold } from "../rules/fold.ts";
import type { AuditEntry, Database, Reader } from "../../storage/database.ts";
import { createDerivedCache } from "../../storage/derived-cache.ts";
import type { Actor } from "../actor.ts";
import { authorize } from "../authorize.ts";
import { DECLARATIONS } from "../kinds.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import { declarationStore } from "./store.ts";

/** Names an organization by its ID; undefined when it is gone. */
export type OrganizationName = (db: Reader, id: string) => Promise<string | undefined>;

/** Finds owners, each once and in the order of what was written. @param written what a transaction has put on record */
export type FindOwners = (db: Reader, written: readonly AuditEntry[]) => Promise<string[]>;

export interface Owners {
  /**
   * What finds owners in a partition, of those that the caller may read.
   *
   * @returns undefined where there are none
   */
  in(actor: Pick<Actor, "rights">, partition: string): Promise<FindOwners | undefined>;
}

/** Owners by the keys of their objects, for one partition. */
type ByKey = ReadonlyMap<string, string>;

/** Objects of a partition; beyond, nobody is told whose they are: it would take more memory than it is worth. */
const MOST_OBJECTS = 100_000;
const MOST_BYTES = 32 * 1024 * 1024;
const OBJECT_BYTES = 150;
/** Declarations that are read at once, each of which may be a megabyte. */
const AT_ONCE = 4;
/** Objects of one request that are looked for, and owners that are named. */
const MOST_WRITTEN = 1000;
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

  return {
    async in(actor, partition) {
      // Declarations lie where all of a partition can be written from; their names are for who may read them there.
      if (!authorize(actor, "acl", "", "read", { ...DEFAULT_SCOPE, partition })) return undefined;
      const owners = await ownersIn(partition);
      if (owners.size === 0) return undefined;
      return async (reader, written) => {
        const found = new Set<string>();
        for (const entry of written.filter(({ action }) => !ASIDE.has(action)).slice(0, MOST_WRITTEN)) {
          const owner = owners.get(await keyOf(entry, async (id) => organizationName(reader, id)));
          if (owner !== undefined) found.add(owner);
          if (found.size === MOST_NAMED) break;
        }
        return [...found];
      };
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

/** The key by which declared files find an object: its kind, where it lies and its name; see docs/declared.md. */
async function keyOf(
  { kind, partition = "", namespace = "", organizationId, objectId, name }: AuditEntry,
  organizationName: (id: string) => Promise<string | undefined>,
): Promise<string> {
  const isOfServer = kind === "organization" || kind === "partition";
  const ofPartition = kind === "namespace" ? [partition] : [partition, namespace];
  const ofOrganization = async (id: string) => [(await organizationName(id)) ?? ""];
  const place = isOfServer ? [] : organizationId === undefined ? ofPartition : await ofOrganization(organizationId);
  return fold(`${kind} ${[...place, kind === "token" ? objectId : name].join("/")}`);
}

/** Objects that the declarations of a partition own, by the keys of their objects and of what lies around those. */
import type { Database } from "../../storage/database.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { containersOf } from "./owned-keys.ts";
import { declarationStore } from "./store.ts";
import { fold } from "../../fold.ts";

export interface OwnedIndex {
  /** Names of owners. */
  readonly byKey: ReadonlyMap<string, string>;
  /** Names of owners of something in an object, by its key. */
  readonly around: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Objects of a partition; beyond, nobody is told whose they are: it would take more memory than it is worth. */
const MOST_OBJECTS = 100_000;
/** Bytes of an object in an index, about. */
export const OBJECT_BYTES = 150;
/** Declarations that are read at once, each of which may be a megabyte. */
const AT_ONCE = 4;

const NOTHING: OwnedIndex = { byKey: new Map(), around: new Map() };

/** Reads what a partition's declarations own. @param counts which objects are wanted, by their keys */
export async function readOwned(
  db: Pick<Database, "long">,
  partition: string,
  counts: (key: string) => boolean = () => true,
): Promise<OwnedIndex> {
  const byKey = new Map<string, string>();
  const around = new Map<string, Set<string>>();
  const scope = { ...DEFAULT_SCOPE, partition };
  for (let after = ""; ;) {
    const some = await declarationStore.list(db.long, scope, { after, search: "", size: AT_ONCE });
    for (const { name, objects } of some) {
      for (const key of objects.map(fold).filter(counts)) {
        byKey.set(key, name);
        for (const each of containersOf(key)) around.set(each, (around.get(each) ?? new Set()).add(name));
      }
    }
    if (byKey.size > MOST_OBJECTS) return NOTHING;
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) return { byKey, around };
    after = declarationStore.sortKey(last);
  }
}

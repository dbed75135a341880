/** Objects in the trash whose time is over. They are not found any more; this only takes their rows away. */
import type { Database } from "../../storage/database.ts";
import type { RemovedBatch, Removal } from "../../storage/operator/removal.ts";
import { changeRegardless } from "../kit/write.ts";
import { takeFromTrash } from "../kit/trash.ts";
import { listEnded } from "./store.ts";

const EVERY_MS = 10_000;

/** @param now milliseconds since the epoch, by a clock that is trusted */
export function endedTrash(db: Database, now: () => number): Removal {
  return {
    lease: "trash",
    rows: { least: 25, most: 25 },
    everyMs: EVERY_MS,
    async jobs() {
      const isAny = (await listEnded(db, now(), 1)).length > 0;
      return isAny ? [{ remove: (_lease, limit) => removeBatch(db, now(), limit) }] : [];
    },
  };
}

/** The partition's own counter guards it and not the lease: what is removed is chosen inside, and stays over. */
async function removeBatch(db: Database, now: number, limit: number): Promise<RemovedBatch> {
  const [first] = await listEnded(db, now, 1);
  if (first === undefined) return { removed: 0, isLast: true };
  return changeRegardless({ db }, first, async (tx) => {
    const here = (await listEnded(tx, now, limit)).filter(({ partition }) => partition === first.partition);
    tx.unrecorded("the deletion of the object is, with its content");
    takeFromTrash(
      tx,
      here.map(({ id }) => id),
    );
    return { removed: here.length, isLast: here.length === 0 };
  });
}

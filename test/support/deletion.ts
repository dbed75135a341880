/** What goes on in the background when something is marked for deletion; in tests it is begun when they want it. */
import { expect } from "vitest";
import { startDeletion, type DeletionProgress } from "../../src/acl/deletion/deleter.ts";
import { listMarkedNamespaces, listMarkedPartitions } from "../../src/acl/deletion/store.ts";
import type { Database } from "../../src/storage/database.ts";

/** The name of the lease that the work is done under. */
export const LEASE = "scope-deletion";

export interface Deleted {
  progress: DeletionProgress;
  /** What the log was told, in order. */
  told: { message: string; details: object }[];
}

/** Lets the lease run out, as it does when the node that held it is gone. */
export async function expireLease(db: Database): Promise<void> {
  await db.inTransaction({ kind: "root" }, (tx) =>
    Promise.resolve(tx.write(tx.sql.updateTable("leases").set({ expires_at: 0 }).where("name", "=", LEASE))),
  );
}

/** Starts the work, waits until nothing is marked any more, and stops it. */
export async function finishDeletion(db: Database): Promise<Deleted> {
  const told: Deleted["told"] = [];
  const errors: unknown[] = [];
  await expireLease(db);
  const deletion = startDeletion(db, {
    onProgress: (message, details) => told.push({ message, details }),
    onError: (error) => errors.push(error),
  });
  const marked = async () => [errors, ...(await listMarkedNamespaces(db)), ...(await listMarkedPartitions(db))];
  try {
    await expect.poll(marked, { timeout: 15_000, interval: 5 }).toEqual([[]]);
  } finally {
    await deletion.stop();
  }
  return { progress: deletion.progress(), told };
}

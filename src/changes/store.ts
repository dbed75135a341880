import type { Transaction } from "../storage/database.ts";
import { insertOf, type ObjectOf } from "../storage/objects.ts";

/** A change of one object as it is stored. */
export type StoredChange = ObjectOf<"changes">;

const insert = insertOf("changes");

export function insertChange(tx: Transaction, change: StoredChange): void {
  tx.write(insert, change);
}

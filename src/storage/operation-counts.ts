import type { StorageStats } from "./database.ts";

type Operations = StorageStats["operations"];

/** The operations of an engine since its start, and what counts another one. */
export function countOperations(): { operations: Operations; count: (kind: keyof Operations) => void } {
  const operations: Operations = { point: 0, query: 0, long: 0, transaction: 0, sync: 0 };
  return {
    operations,
    count(kind) {
      operations[kind] += 1;
    },
  };
}

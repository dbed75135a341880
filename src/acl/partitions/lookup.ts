/** What other features may ask about partitions. */
export { deletePartition, findPartition } from "./store.ts";

/** Name under which changes of partitions are told. */
export const PARTITIONS = "partitions";

import { sql } from "kysely";
import { counterName } from "../storage/writes/counters.ts";
import type { Reader } from "../storage/database.ts";
import { readCounter } from "../storage/feed/touches.ts";
import { defineQuery } from "../storage/reads/query.ts";

const PREFIX = "partition/";

const all = defineQuery((db, _: object) =>
  db
    .selectFrom("counters")
    .select(["name", "value"])
    .where("name", ">=", PREFIX)
    .where("name", "<", sql<string>`'partition0'`),
);

/** The index of the last write of each partition. */
export async function readPartitionIndexes(db: Reader): Promise<Map<string, number>> {
  return new Map((await db.run(all, {})).map(({ name, value }) => [name.slice(PREFIX.length), value]));
}

/** The index of the last write of a partition; 0 when there was none. */
export async function readPartitionIndex(db: Reader, partition: string): Promise<number> {
  return (await readCounter(db, counterName({ kind: "partition", name: partition }))) ?? 0;
}

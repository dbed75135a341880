import type { Reader } from "../../storage/database.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import type { RecordOf } from "../kit/records.ts";
import { scopedStore } from "../kit/scoped-objects.ts";

export type Declaration = RecordOf<"declarations", { objects: readonly string[] }>;

export const { reads: declarationStore, writes: writeDeclarations } = scopedStore<Declaration>("declarations");

const states = defineQuery((db, _: object) =>
  db
    .selectFrom("declarations")
    .select((eb) => ["partition", eb.fn.countAll().as("count"), eb.fn.max("modify_index").as("index")])
    .groupBy("partition"),
);

/** Returns a state for each partition, which changes when a declaration of it is created, changed or deleted. */
export async function statesOfPartitions(db: Reader): Promise<Map<string, string>> {
  const rows = await db.run(states, {});
  return new Map(rows.map(({ partition, count, index }) => [partition, `${count}:${index}`]));
}

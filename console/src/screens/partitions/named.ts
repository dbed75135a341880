import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";
import { screenNames } from "../../texts/names.ts";

export type PartitionRow = ItemOf<"listPartitions">;
export type Partition = BodyOf<"readPartition">;

/** Partitions, as they are read and called. */
export const PARTITION: Named<Partition> = {
  noun: "partitions",
  singular: screenNames.partitions.singular,
  plural: screenNames.partitions.plural,
  read: "readPartition",
  parameter: "name",
  key: ({ Name }) => Name,
  title: ({ Name }) => Name,
};

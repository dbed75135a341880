/** The list of partitions. */
import { byLeaving, descriptionColumn, indexColumn, Leaving, titleColumn } from "../../kit/cells.tsx";
import { localOf } from "../../kit/kind.ts";
import { BY_NAME, v1Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import type { PartitionRow } from "./named.ts";
import * as texts from "../../texts/partitions.ts";
import { screenNames } from "../../texts/names.ts";

const PATH: NonNullable<List<PartitionRow>["path"]> = ({ Name }, place) => place.path("partitions", Name);

export const PARTITION_LIST: List<PartitionRow> = {
  noun: "partitions",
  singular: screenNames.partitions.singular,
  plural: screenNames.partitions.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) => v1Source(place.client, "listPartitions", localOf<PartitionRow>("Name", "Description")),
  id: ({ Name }) => Name,
  name: ({ Name }) => Name,
  path: PATH,
  jump: BY_NAME,
  columns: [
    titleColumn<PartitionRow>({
      path: PATH,
      text: ({ Name }) => Name,
      marks: ({ DeletedAt }) => DeletedAt !== undefined && <Leaving />,
    }),
    descriptionColumn<PartitionRow>(),
    indexColumn<PartitionRow>(),
  ],
  filters: [byLeaving<PartitionRow>()],
  create: { path: "partitions/new", right: { resource: "operator", access: "write" } },
  empty: texts.emptyHint,
};

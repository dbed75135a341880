import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { PARTITION } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Partitions: isolation of tenants. */
export const PARTITIONS: Screen = {
  noun: "partitions",
  title: screenNames.partitions.plural,
  summary: screenNames.partitions.summary,
  icon: "partition",
  place: "top",
  group: "Access",
  right: { resource: "operator", access: "read" },
  pages: kindPages(PARTITION, async () => (await import("./list-of-partitions.tsx")).PARTITION_LIST, {
    list: async () => (await import("./list.tsx")).PartitionList,
    create: async () => (await import("./pages.tsx")).PartitionCreate,
    object: async () => (await import("./pages.tsx")).PartitionObject,
    edit: async () => (await import("./pages.tsx")).PartitionEdit,
  }),
  actions: [
    {
      title: screenNames.partitions.createAction,
      path: "partitions/new",
      right: { resource: "operator", access: "write" },
    },
  ],
};

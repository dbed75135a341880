import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";

export type ReservedKeyRow = ItemOf<"listReservedTagKeys">;

/** How reserved keys are read and called. */
export const RESERVED_KEY: NamedResource<ReservedKeyRow> = {
  noun: "reserved-tag-keys",
  singular: "reserved key",
  plural: "Reserved keys",
  read: "list",
  list: "listReservedTagKeys",
  parameter: "reserved_tag_key_id",
  title: ({ attributes }) => attributes.key,
  changedAt: ({ attributes }) => attributes["updated-at"],
};

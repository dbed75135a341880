import type { ItemOf } from "@tessera-server/client";
import type { NamedResource } from "../../kit/resource.ts";
import { screenNames } from "../../texts/names.ts";

export type ReservedKeyRow = ItemOf<"listReservedTagKeys">;

/** How reserved keys are read and called. */
export const RESERVED_KEY: NamedResource<ReservedKeyRow> = {
  noun: "reserved-tag-keys",
  singular: screenNames.reservedTagKeys.reservedKey,
  plural: screenNames.reservedTagKeys.reservedKeys,
  read: "list",
  list: "listReservedTagKeys",
  parameter: "reserved_tag_key_id",
  title: ({ attributes }) => attributes.key,
  changedAt: ({ attributes }) => attributes["updated-at"],
};

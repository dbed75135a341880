/** Deleted objects, as the console reads them. */
import { queryOptions } from "@tanstack/react-query";
import type { ItemOf } from "@tessera-server/client";
import { createContext } from "react";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import * as texts from "../../texts/trash.ts";

export type TrashRow = ItemOf<"listTrash">;

/** One entry, with the consequences of a restore. */
export function entryQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "trash", "one", id),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request<readonly TrashRow[]>("listTrash", { query: { id }, signal });
      return body[0];
    },
  });
}

/** Returns the name of an entry with its kind, such as `role web`. */
export function titleOf({ Kind, Name, ObjectID = "" }: TrashRow): string {
  return `${texts.kinds[Kind] ?? Kind} ${Name === "" ? ObjectID.slice(0, 8) : Name}`;
}

/** Opens the dialog that restores an entry. */
export const RestoreContext = createContext<(entry: TrashRow) => void>(() => undefined);

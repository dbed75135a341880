/** Queries for tags. */
import { queryOptions } from "@tanstack/react-query";
import type { ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";

export type TagRow = ItemOf<"listTags">;
export type AlikeGroup = ItemOf<"listAlikeTags">;

/** Workspaces that the page of a tag shows of those that carry it. */
const SHOWN = 20;

/** One tag. */
export function tagQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tags", "one", id),
    queryFn: async ({ signal }) => (await place.client.tags.read({ tag: id, signal })).data,
  });
}

/** The values that a tag has as a key, the most used first. Lists have them, a tag by itself does not. */
export function valuesQuery(place: Place, { id, name }: { id: string; name: string }) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tags", "values", id, name),
    queryFn: async ({ signal }) => {
      const pages = place.client.tags.list({
        organization: place.organization ?? "",
        q: name,
        include: "values",
        "page[size]": 100,
        signal,
      });
      // Names that hold this one stand behind and in front of it: it is soon found, but a pool may have thousands of them.
      let seen = 0;
      for await (const tag of pages.items()) {
        if (tag.id === id) return { values: tag.attributes.values ?? [], count: tag.attributes["value-count"] ?? 0 };
        if (++seen >= 1000) break;
      }
      return { values: [], count: 0 };
    },
  });
}

/** The first workspaces that carry a tag, and how many there are. */
export function carriersQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tags", "carriers", id),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request("listTagWorkspaces", {
        path: { tag_id: id },
        query: { "page[size]": SHOWN },
        signal,
      });
      return { rows: body.data, count: body.meta.pagination["total-count"] };
    },
  });
}

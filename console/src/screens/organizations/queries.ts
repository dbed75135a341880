/** How much an organization has. */
import { queryOptions } from "@tanstack/react-query";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";

const LISTS = { tags: "listTags", workspaces: "listWorkspaces", projects: "listProjects" } as const;

export type Counted = keyof typeof LISTS;

interface Counts {
  readonly meta: { readonly pagination: { readonly "total-count": number } };
}

/** How many of them there are that may be seen. */
export function countQuery(place: Place, noun: Counted) {
  const { organization = "" } = place;
  return queryOptions({
    queryKey: organizationKey(organization, noun, "count"),
    queryFn: async ({ signal }) => {
      const path = { organization_name: organization };
      const { body } = await place.client.request<Counts>(LISTS[noun], { path, query: { "page[size]": 1 }, signal });
      return body.meta.pagination["total-count"];
    },
  });
}

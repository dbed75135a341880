/** Coverage of required tag keys, and the numbers of other lists that concern tags. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ItemOf, OperationId, Query } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";

export type KeyCoverage = ItemOf<"listTagPolicyKeys">["attributes"];

/** Keys of a page. */
const SIZE = 20;

/** Coverage of the required keys, page by page. @param project ID of the only project that counts; empty for all */
export function coverageQuery(place: Place, project: string) {
  const organization = place.organization ?? "";
  return infiniteQueryOptions({
    queryKey: organizationKey(organization, "workspaces", "coverage", project),
    queryFn: async ({ pageParam, signal }) => {
      const filter = project === "" ? {} : { "filter[project][id]": project };
      const { body } = await place.client.request("listTagPolicyKeys", {
        path: { organization_name: organization },
        query: { ...filter, "page[number]": pageParam, "page[size]": SIZE },
        signal,
      });
      const { pagination, "is-complete": isComplete } = body.meta;
      return { keys: body.data.map(({ attributes }) => attributes), next: pagination["next-page"], isComplete };
    },
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
  });
}

/** Number of entries of a list. @param noun topic whose changes affect the number */
export function countQuery(place: Place, noun: string, operation: OperationId, query: Query) {
  const organization = place.organization ?? "";
  return queryOptions({
    queryKey: organizationKey(organization, noun, "count", operation, query),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request<Counted>(operation, {
        path: { organization_name: organization },
        query: { ...query, "page[size]": 1 },
        signal,
      });
      return body.meta?.pagination?.["total-count"] ?? 0;
    },
  });
}

interface Counted {
  readonly meta?: { readonly pagination?: { readonly "total-count": number } };
}

/** Coverage of required tag keys, and the numbers of other lists that concern tags. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ItemOf, OperationId, Query } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";

export type KeyCoverage = ItemOf<"listTagPolicyKeys">["attributes"];

export type CoverageDay = ItemOf<"listTagPolicyDays">["attributes"];

/** Days of one page, which are all that the server keeps. */
const DAYS = 100;

/** Coverage of a required key by day, the oldest day first. */
export function daysQuery(place: Place, key: string) {
  const organization = place.organization ?? "";
  return queryOptions({
    queryKey: organizationKey(organization, "tag-policy-days", key),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request("listTagPolicyDays", {
        path: { organization_name: organization },
        query: { "filter[key]": key, "page[size]": DAYS },
        signal,
      });
      return body.data.map(({ attributes }) => attributes);
    },
    staleTime: 600_000,
  });
}

/** Share of the workspaces with a key in percent, rounded down: not before all workspaces have the key is it whole. */
export function shareOf({ workspaces, missing }: { readonly workspaces: number; readonly missing: number }): string {
  const share = workspaces === 0 ? 1 : Math.floor((100 * (workspaces - missing)) / workspaces) / 100;
  return share.toLocaleString(undefined, { style: "percent" });
}

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

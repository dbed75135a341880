/** Queries of the Home screen. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { organizationKey, scopedKey } from "../../base/queries.ts";
import { placeOf, type Place } from "../../base/place.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";

export type Overview = BodyOf<"readOverview">;

/** Number of records in the list of recent activity. */
const NEWEST = 8;
/** Maximum number of organizations whose compliance is read: each takes a request. */
export const MOST_REPORTS = 12;

/** A partition's place, and all of its namespaces. */
export function wholePartition(partition: string): Place {
  return placeOf({ partition, namespace: "*" });
}

/** Query for the counts, problems and server states. The server refreshes the counts at most twice a minute. */
export function overviewQuery(place: Place) {
  const { client } = wholePartition(place.scope.partition);
  return queryOptions({
    queryKey: scopedKey({ ...place.scope, namespace: "*" }, "overview"),
    queryFn: async ({ signal }) => (await client.request("readOverview", { signal })).body,
    staleTime: 10_000,
    refetchInterval: 15_000,
  });
}

/** Query for the recent changes that the token may see in the partition. */
export function newestQuery(place: Place) {
  const { client, scope } = wholePartition(place.scope.partition);
  return queryOptions({
    queryKey: scopedKey(scope, "audit", "newest"),
    queryFn: async ({ signal }) => {
      const query = { "page-size": NEWEST, outcome: "done" };
      return (await client.request<readonly AuditRecord[]>("listAudit", { query, signal })).body;
    },
  });
}

/** How many workspaces of an organization break its rules for tags; undefined where it has none, or it may not be known. */
export function brokenQuery(place: Place, organization: string) {
  return queryOptions({
    queryKey: organizationKey(organization, "workspaces", "breaking-rules"),
    queryFn: async ({ signal }) => {
      const path = { organization_name: organization };
      try {
        const { body } = await place.client.request<Report>("reportTagPolicy", {
          path,
          query: { "page[size]": 1 },
          signal,
        });
        return body.meta?.pagination?.["total-count"] ?? 0;
      } catch {
        return null;
      }
    },
    staleTime: 60_000,
  });
}

interface Report {
  readonly meta?: { readonly pagination?: { readonly "total-count": number } };
}

/** What is read for Home. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { organizationKey, scopedKey } from "../../app/queries.ts";
import { placeOf, type Place } from "../../app/place.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";

export type Overview = BodyOf<"readOverview">;

/** So many records are shown of what changed last. */
const NEWEST = 8;
/** So many organizations are asked for what breaks their rules: each is a request. */
export const MOST_REPORTS = 12;

/** A partition's place, and all of its namespaces. */
export function wholePartition(partition: string): Place {
  return placeOf({ partition, namespace: "*" });
}

/** What there is, what needs care, and how the servers are. What is counted the server counts anew twice a minute at most. */
export function overviewQuery(place: Place) {
  const { client } = wholePartition(place.scope.partition);
  return queryOptions({
    queryKey: scopedKey({ ...place.scope, namespace: "*" }, "overview"),
    queryFn: async ({ signal }) => (await client.request("readOverview", { signal })).body,
    staleTime: 10_000,
    refetchInterval: 15_000,
  });
}

/** What changed last, of all that may be seen in the partition. */
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

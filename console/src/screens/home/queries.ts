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

export type DeniedRequest = BodyOf<"listOwnRefusals">[number];

/** Query for the denied requests of the session's token. */
export function deniedQuery({ client }: Place) {
  return queryOptions({
    queryKey: ["denied"],
    queryFn: async ({ signal }) => (await client.request("listOwnRefusals", { signal })).body,
    staleTime: 0,
  });
}

/** Query for the session's token, without its secret. */
export function ownTokenQuery({ client }: Place) {
  return queryOptions({
    queryKey: ["own-token"],
    queryFn: async ({ signal }) => {
      const { SecretID: _secret, ...token } = (await client.request("readOwnToken", { signal })).body;
      return token;
    },
  });
}

/** Number of tokens in the list of those that expire soon. */
const MOST_EXPIRING = 5;

/** Query for the tokens of the partition that expire within two weeks, the first ones. */
export function expiringQuery(place: Place) {
  const { client, scope } = wholePartition(place.scope.partition);
  return queryOptions({
    queryKey: scopedKey(scope, "tokens", "expiring"),
    queryFn: async ({ signal }) => {
      const query = { "expires-before": "14d", limit: MOST_EXPIRING, sort: "ExpirationTime" };
      return (await client.request("listTokens", { query, signal })).body;
    },
  });
}

/** Number of workspaces that are named for an organization. */
const MOST_WORKSPACES = 5;

/** Query for the first workspaces of an organization. */
export function workspacesQuery({ client }: Place, organization: string) {
  return queryOptions({
    queryKey: organizationKey(organization, "workspaces", "first"),
    queryFn: async ({ signal }) => {
      const asked = { path: { organization_name: organization }, query: { "page[size]": MOST_WORKSPACES }, signal };
      const { data } = (await client.request("listWorkspaces", asked)).body;
      return data.map(({ id, attributes }) => ({ id, name: attributes.name }));
    },
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

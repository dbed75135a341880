/** Records of audit: of a scope, or of an organization, which are the same thing in two spellings. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { OperationId, Query } from "@tessera-server/client";
import type { Search } from "../../base/address.ts";
import type { Place } from "../../base/place.ts";
import { organizationKey, scopedKey } from "../../base/queries.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { readOrganizationRecords } from "../../kit/organization-records.ts";

/** Records that one page has. */
const SIZE = 50;

/** Filters for audit records. The address uses the same names. */
export const FILTERS = ["outcome", "action", "kind", "object", "actor", "request-id", "from", "to"] as const;

export type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

interface Page {
  readonly records: readonly AuditRecord[];
  readonly next: string | undefined;
}

/** Returns the filters that the address sets. */
export function filtersOf(search: Search): Filters {
  return Object.fromEntries(FILTERS.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
}

/** Returns the operation that lists the records of a place, with the query for the filters. */
export function operationOf(place: Place, filters: Filters) {
  const { organization } = place;
  const isOf = organization !== undefined;
  const query = Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [isOf ? `filter[${name}]` : name, value]),
  );
  const operation: OperationId = isOf ? "listOrganizationAudit" : "listAudit";
  return { operation, path: isOf ? { organization_name: organization } : {}, query: query as Query };
}

/** Records, the newest first. */
export function auditQuery(place: Place, search: Search) {
  const filters = filtersOf(search);
  const { organization } = place;
  return infiniteQueryOptions({
    queryKey:
      organization === undefined
        ? scopedKey(place.scope, "audit", "list", filters)
        : organizationKey(organization, "audit", "list", filters),
    queryFn: async ({ pageParam, signal }): Promise<Page> => readPage(place, filters, pageParam, signal),
    // Denied requests are collected before they are recorded, and no event announces them.
    refetchInterval: 30_000,
    initialPageParam: "",
    getNextPageParam: ({ next }: Page) => (next === "" ? undefined : next),
  });
}

async function readPage(place: Place, filters: Filters, after: string, signal: AbortSignal): Promise<Page> {
  const { operation, query } = operationOf(place, filters);
  const from = after === "" ? undefined : after;
  if (place.organization === undefined) {
    const asked = { ...query, "page-size": SIZE, after: from };
    const { body, headers } = await place.client.request<readonly AuditRecord[]>(operation, { query: asked, signal });
    return { records: body, next: headers.get("x-service-next") ?? undefined };
  }
  return readOrganizationRecords(place, { ...query, "page[size]": SIZE, "page[after]": from }, signal);
}

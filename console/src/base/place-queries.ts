/** The places that there are, for the switch and for the palette. */
import { TesseraError, type Client } from "@tessera-server/client";
import { queryOptions } from "@tanstack/react-query";
import { DEFAULT_SCOPE } from "./address.ts";
import { clientOf } from "./client.ts";
import { scopedKey } from "./queries.ts";

/** More are not shown in a switch; whoever has more types a name. */
export const MOST_NAMED = 1000;

/** Partitions that may be seen; none in the community edition. */
export function partitionsQuery(client: Client) {
  return queryOptions({
    queryKey: scopedKey(DEFAULT_SCOPE, "partitions", "names"),
    queryFn: async ({ signal }) => orNone(async () => first(client.partitions.list({ signal }))),
    staleTime: 60_000,
  });
}

/** Namespaces of a partition that may be seen. */
export function namespacesQuery(partition: string) {
  const scope = { partition, namespace: "default" };
  return queryOptions({
    queryKey: scopedKey({ partition, namespace: "*" }, "namespaces", "names"),
    queryFn: async ({ signal }) => orNone(async () => first(clientOf(scope).namespaces.list({ signal }))),
    staleTime: 60_000,
  });
}

/** Organizations that may be seen. */
export function organizationsQuery(client: Client) {
  return queryOptions({
    queryKey: ["v2", "", "organizations", "names"],
    queryFn: async ({ signal }) => orNone(async () => first(client.organizations.list({ signal }))),
    staleTime: 60_000,
  });
}

async function first<T>(pages: { items(): AsyncIterableIterator<T> }): Promise<T[]> {
  const found: T[] = [];
  for await (const item of pages.items()) {
    found.push(item);
    if (found.length >= MOST_NAMED) break;
  }
  return found;
}

/** Gives no choices where the token may list none, or the edition has none. Other failures stay failures. */
async function orNone<T>(read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TesseraError && [400, 403, 404].includes(error.status)) return [];
    throw error;
  }
}

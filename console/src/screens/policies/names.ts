/** Names of what the server has, for who writes a rule or a question about it. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";

/** Names that are offered. */
const MOST = 30;

interface Named {
  readonly attributes: { readonly name: string };
}

/** Names of a kind that begin so, or have it in them; none of kinds that the server holds no objects of. */
export function useNames(): (kind: string, begin: string) => Promise<readonly string[]> {
  const place = usePlace();
  const queries = useQueryClient();
  return useCallback(async (kind, begin) => namesOf(queries, place, kind, begin).catch(() => []), [place, queries]);
}

async function namesOf(queries: QueryClient, place: Place, kind: string, begin: string): Promise<readonly string[]> {
  const read = async (noun: string, queryFn: () => Promise<readonly string[]>) =>
    queries.query({ queryKey: scopedKey(place.scope, noun, "words", begin), queryFn, staleTime: 10_000 });
  if (kind === "organization") return read("organizations", async () => organizations(place, begin));
  if (kind === "workspace") return read("workspaces", async () => workspaces(place, begin));
  if (kind === "namespace") return read("namespaces", async () => scopes(place, "listNamespaces", begin));
  if (kind === "partition") return read("partitions", async () => scopes(place, "listPartitions", begin));
  return [];
}

async function organizations(place: Place, begin: string): Promise<readonly string[]> {
  const query = { q: begin, "page[size]": MOST };
  const { body } = await place.client.request<{ data: readonly Named[] }>("listOrganizations", { query });
  return body.data.map(({ attributes: { name } }) => name).filter((name) => name.includes(begin));
}

/** A rule names a workspace with its organization in front. */
async function workspaces(place: Place, begin: string): Promise<readonly string[]> {
  const [organization = "", ...rest] = begin.split("/");
  if (rest.length === 0) return (await organizations(place, begin)).map((name) => `${name}/`);
  const path = { organization_name: organization };
  const query = { "search[name]": rest.join("/"), "page[size]": MOST };
  const { body } = await place.client.request<{ data: readonly Named[] }>("listWorkspaces", { path, query });
  return body.data.map(({ attributes: { name } }) => `${organization}/${name}`);
}

async function scopes(
  place: Place,
  operation: "listNamespaces" | "listPartitions",
  begin: string,
): Promise<readonly string[]> {
  const { body } = await place.client.request<readonly { Name: string }[] | null>(operation, {});
  return (body ?? [])
    .map(({ Name }) => Name)
    .filter((name) => name.includes(begin))
    .slice(0, MOST);
}

/** Names to choose from, for a field in which one is typed; none of what was typed before, and whether they are still looked for. */
export function useNameChoices(kind: string, typed: string): { names: string[]; isLooking: boolean } {
  const names = useNames();
  const place = usePlace();
  const [begin] = useDebouncedValue(typed, 120);
  const { data = [], isPending } = useQuery({
    queryKey: scopedKey(place.scope, "names", kind, begin),
    queryFn: async () => names(kind, begin),
  });
  const isLooking = isPending || begin !== typed;
  return { names: isLooking ? [] : [...new Set(data)], isLooking };
}

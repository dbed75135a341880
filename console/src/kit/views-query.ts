/** Saved views of lists on the server. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Client } from "@tessera-server/client";
import type { Scope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import type { SavedView, ViewState } from "./view-state.ts";

/** Namespace whose shared views a list offers; a list of all namespaces has those of `default`. */
export function viewScope({ partition, namespace }: Scope): Scope {
  return { partition, namespace: namespace === "*" ? "default" : namespace };
}

/** The views of a list: the user's own, and the shared ones of the namespace. */
export function viewsQuery(scope: Scope, noun: string) {
  return queryOptions({
    queryKey: ["views", scope.partition, scope.namespace, noun],
    queryFn: async ({ signal }): Promise<readonly SavedView[]> =>
      (await clientOf(scope).request<readonly SavedView[]>("listViews", { query: { list: noun }, signal })).body,
    // Nothing tells of a view that somebody else shares.
    staleTime: 0,
  });
}

/** Content of a view to write. */
export interface ViewDraft extends ViewState {
  readonly Name: string;
  readonly List: string;
  readonly Shared: boolean;
}

/** Saves a view, or replaces the one of an ID, and has the views read again. @throws TesseraError */
export async function saveView(
  client: Client,
  queries: QueryClient,
  draft: ViewDraft,
  before?: Pick<SavedView, "ID" | "ModifyIndex">,
): Promise<void> {
  if (before === undefined) await client.request("createView", { body: draft });
  else {
    const query = { cas: String(before.ModifyIndex) };
    await client.request("replaceView", { path: { id: before.ID }, query, body: draft });
  }
  await queries.invalidateQueries({ queryKey: ["views"] });
}

/** Deletes a view, and has the views read again. @throws TesseraError */
export async function deleteView(client: Client, queries: QueryClient, { ID }: Pick<SavedView, "ID">): Promise<void> {
  await client.request("deleteView", { path: { id: ID } });
  await queries.invalidateQueries({ queryKey: ["views"] });
}

/** Queries for workspaces. */
import { queryOptions } from "@tanstack/react-query";
import type { ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";

export type WorkspaceRow = ItemOf<"listWorkspaces">;
export type BindingRow = ItemOf<"listWorkspaceTagBindings">;
export type EffectiveRow = ItemOf<"listWorkspaceEffectiveTagBindings">;

/** Owner of tag keys and values. */
export interface TagHolder {
  readonly of: "workspace" | "project";
  readonly id: string;
}

const READS = { workspace: "readWorkspaceTagBindings", project: "readProjectTagBindings" } as const;
const EFFECTIVE = {
  workspace: "listWorkspaceEffectiveTagBindings",
  project: "listProjectEffectiveTagBindings",
} as const;

/** The path of a holder, as operations take it. */
export function pathOfHolder({ of, id }: TagHolder): Readonly<Record<string, string>> {
  return { [`${of}_id`]: id };
}

/** Query for its own keys and values, with the ETag for conditional writes. */
export function bindingsQuery(place: Place, holder: TagHolder) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", `${holder.of}s`, "bindings", holder.id),
    queryFn: async ({ signal }) => {
      const path = pathOfHolder(holder);
      const { body, headers } = await place.client.request<{ data: readonly BindingRow[] }>(READS[holder.of], {
        path,
        signal,
      });
      return { rows: body.data, etag: headers.get("etag") ?? "" };
    },
  });
}

/** Query for the effective keys: its own keys, then the keys of its project. */
export function effectiveQuery(place: Place, holder: TagHolder) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", `${holder.of}s`, "effective", holder.id),
    queryFn: async ({ signal }) => {
      const path = pathOfHolder(holder);
      const answer = await place.client.request<{ data: readonly EffectiveRow[] }>(EFFECTIVE[holder.of], {
        path,
        signal,
      });
      return answer.body.data;
    },
  });
}

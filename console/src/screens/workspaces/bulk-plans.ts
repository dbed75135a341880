/** How workspaces that were selected by hand get tags, or lose them: by as few requests as there can be. */
import { queryOptions } from "@tanstack/react-query";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import { commandOf, type Plan } from "../../kit/plan.ts";
import type { WorkspaceRow } from "./queries.ts";

export type BulkAction = "add" | "remove";

/** One request of several: done as a whole or not at all. */
export interface Step {
  /** The tag or the workspace that it is about. */
  readonly of: string;
  readonly plan: Plan;
}

type Picked = Pick<WorkspaceRow, "id" | "attributes">;

/** IDs of tags by their names; what the pool lacks is left out. */
export function tagIdsQuery(place: Place, names: readonly string[]) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tags", "ids", names),
    queryFn: async ({ signal }) => {
      const found = await Promise.all(names.map(async (name) => idOfTag(place, name, signal)));
      return new Map(found.flatMap((id, at) => (id === undefined ? [] : [[names[at] ?? "", id]])));
    },
  });
}

async function idOfTag({ client, organization = "" }: Place, name: string, signal: AbortSignal) {
  const { body } = await client.request("listTags", {
    path: { organization_name: organization },
    query: { q: name, "page[size]": 100 },
    signal,
  });
  return body.data.find(({ attributes }) => attributes.name === name)?.id;
}

/**
 * The requests: for each tag one that reaches all of the workspaces or none. A tag that is not there yet is born on a
 * workspace, so that with one of those it is a request for each workspace.
 */
export function stepsOf(
  action: BulkAction,
  rows: readonly Picked[],
  names: readonly string[],
  ids: ReadonlyMap<string, string>,
): readonly Step[] {
  if (rows.length === 1 || names.some((name) => !ids.has(name)))
    return rows.map(({ id, attributes }) => ({ of: attributes.name, plan: planOf(action, id, names) }));
  const workspaces = rows.map(({ id }) => id);
  return names.map((name) => ({ of: name, plan: planOfTag(action, ids.get(name) ?? "", workspaces) }));
}

/** Tags that come on one workspace, or go from it. */
export function planOf(action: BulkAction, workspace: string, names: readonly string[]): Plan {
  return {
    operation: action === "add" ? "addWorkspaceTags" : "removeWorkspaceTags",
    path: { workspace_id: workspace },
    body: { data: names.map((name) => ({ type: "tags", attributes: { name } })) },
    command: commandOf(["tag", verbOf(action)], names, ["--workspace", workspace]),
  };
}

/** A tag that comes on several workspaces, or goes from them. */
function planOfTag(action: BulkAction, tag: string, workspaces: readonly string[]): Plan {
  return {
    operation: action === "add" ? "addTagWorkspaces" : "removeTagWorkspaces",
    path: { tag_id: tag },
    body: { data: workspaces.map((id) => ({ type: "workspaces", id })) },
    command: ["tag", verbOf(action), tag, ...workspaces.flatMap((id) => ["--workspace", id])],
  };
}

function verbOf(action: BulkAction): string {
  return action === "add" ? "attach" : "detach";
}

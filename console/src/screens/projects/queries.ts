/** Queries for data of projects, other than the projects themselves. */
import { queryOptions } from "@tanstack/react-query";
import type { Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";

/** Workspaces that the page of a project shows. */
const SHOWN = 20;

/** The first workspaces of a project that may be seen, and how many there are. */
export function workspacesOfQuery(place: Place, project: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "workspaces", "of-project", project),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request("listWorkspaces", {
        path: { organization_name: place.organization ?? "" },
        query: { "filter[project][id]": project, "page[size]": SHOWN, sort: "name" },
        signal,
      });
      return { rows: body.data, count: body.meta.pagination["total-count"] };
    },
  });
}

/** Whether the session's token may change workspaces, where that is not said by a row. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Query } from "@tessera-server/client";
import { usePlace, type Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import { useMayAll } from "../../kit/rights.ts";

/** Workspaces that are looked at, as a page of the list has. */
const LOOKED_AT = 20;

/** Whether one of the first workspaces that are found may be changed: a rule may name single ones. */
function writesSomeQuery(place: Place, found: Query, isAsked: boolean) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "workspaces", "writes-some", found),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request("listWorkspaces", {
        path: { organization_name: place.organization ?? "" },
        query: { sort: "name", ...found, "page[size]": LOOKED_AT },
        signal,
      });
      return body.data.some(({ attributes }) => attributes.permissions["can-manage-tags"]);
    },
    enabled: isAsked,
  });
}

const ALL: Query = {};

/**
 * Whether tags can be put on workspaces that a filter finds: by who may write the organization, or workspaces of it.
 *
 * @param found what the list of workspaces is asked for, where it is about those
 */
export function useMayTagWorkspaces(found = ALL): boolean {
  const place = usePlace();
  const asked = [
    { resource: "organization", access: "write" },
    { resource: "workspace", access: "write", segment: `${place.organization ?? ""}/` },
  ] as const;
  const mayAll = useMayAll(asked).includes(true);
  const some = useQuery(writesSomeQuery(place, found, !mayAll));
  return mayAll || some.data === true;
}

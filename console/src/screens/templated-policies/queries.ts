/** Queries for templated policies. They are part of the server, so only an upgrade changes them. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";

export type Template = BodyOf<"readTemplatedPolicy">;

/** Query for the policy that a template gives for a name. */
export function previewQuery(place: Place, template: string, name: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "templated-policies", "preview", template, name),
    queryFn: async ({ signal }) => {
      const asked = { path: { name: template }, body: name === "" ? {} : { Name: name }, signal };
      return (await place.client.request<BodyOf<"previewTemplatedPolicy">>("previewTemplatedPolicy", asked)).body;
    },
  });
}

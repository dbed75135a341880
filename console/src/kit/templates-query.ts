/** Queries for templated policies. They are part of the server, so only an upgrade changes them. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import type { Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";

type Template = BodyOf<"readTemplatedPolicy">;

/** All of them, by name. */
export function templatesQuery(place: Place) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "templated-policies", "all"),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request<Readonly<Record<string, Template>>>("listTemplatedPolicies", {
        signal,
      });
      return Object.values(body);
    },
  });
}

/** Queries for effective permissions. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";

export type Effective = BodyOf<"listEffective">;
export type Row = Effective["Entries"][number];
export type Cell = Row["Decisions"][number];

/** A subject, by its parameter of the request. */
export type SubjectQuery = Partial<
  Readonly<Record<"accessor" | "role" | "auth-method" | "namespace-defaults", string>>
>;

/** Filters of the table; an empty one is not set. */
export interface Asked {
  readonly resource: string;
  readonly with: string;
  readonly at: string;
}

/** The table, page by page. Any change in the scope may affect it. */
export function effectiveQuery(place: Place, subject: SubjectQuery, asked: Asked) {
  return infiniteQueryOptions({
    queryKey: scopedKey(place.scope, "overview", "effective", subject, asked),
    queryFn: async ({ pageParam, signal }) => {
      const given = Object.entries({ ...asked, after: pageParam }).filter(([, value]) => value !== "");
      const query = { ...subject, ...Object.fromEntries(given), "page-size": 200 };
      const { body, headers } = await place.client.request<Effective>("listEffective", { query, signal });
      return {
        table: body,
        next: headers.get("x-service-next") ?? "",
        isHidden: headers.get("x-service-results-filtered-by-acls") === "true",
      };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => (next === "" ? undefined : next),
  });
}

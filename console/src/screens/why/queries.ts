/** Questions about who may do what, and their answers. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Place } from "../../app/place.ts";
import { scopedKey } from "../../app/queries.ts";
import { asQuestion, type Question } from "../policies/queries.ts";

export type Decision = BodyOf<"explainDecisions">["Answers"][number];
export type Refused = BodyOf<"explainRefusal">;
export type Holder = ItemOf<"listAccess">;

/** About whom it is asked. */
export interface Asked {
  readonly as: "token" | "role";
  /** An AccessorID, or the ID of a role. */
  readonly id: string;
}

/** May this do that? */
export function mayQuery(place: Place, { as, id }: Asked, question: Question) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "why", "may", as, id, question),
    queryFn: async ({ signal }) => {
      const body = { ...(as === "token" ? { AccessorID: id } : { RoleID: id }), Questions: [asQuestion(question)] };
      return (await place.client.request("explainDecisions", { body, signal })).body.Answers[0];
    },
    enabled: id !== "",
    staleTime: 0,
  });
}

/** Who may do that? */
export function whoQuery(place: Place, { resource, segment, access }: Question, isAsked: boolean) {
  return infiniteQueryOptions({
    queryKey: scopedKey(place.scope, "why", "who", resource, segment, access),
    queryFn: async ({ pageParam, signal }) => {
      const query = { resource, segment, access, "page-size": 50, after: pageParam === "" ? undefined : pageParam };
      const { body, headers } = await place.client.request<readonly Holder[]>("listAccess", { query, signal });
      return {
        holders: body,
        next: headers.get("x-service-next") ?? "",
        isHidden: headers.get("x-service-results-filtered-by-acls") === "true",
      };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => (next === "" ? undefined : next),
    enabled: isAsked,
    staleTime: 0,
  });
}

/** Why a request was refused. */
export function refusedQuery(place: Place, request: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "why", "request", request),
    queryFn: async ({ signal }) =>
      (await place.client.request("explainRefusal", { path: { request_id: request }, signal })).body,
    enabled: request !== "",
    staleTime: 0,
  });
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Choices that one look offers. */
const MOST = 30;

/** Tokens or roles to ask about, by what was typed of them. */
export function choicesQuery(place: Place, as: Asked["as"], search: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, as === "token" ? "tokens" : "roles", "choices", search),
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const query = { search: search === "" ? undefined : search, "page-size": MOST };
      if (as === "role") {
        const { body } = await place.client.request<readonly ItemOf<"listRoles">[]>("listRoles", { query, signal });
        return body.map(({ ID, Name }) => ({ value: ID, label: Name }));
      }
      const { body } = await place.client.request<readonly ItemOf<"listTokens">[]>("listTokens", { query, signal });
      return body.map(({ AccessorID: value, Description }) => {
        const short = value.slice(0, 8);
        return { value, label: Description === "" ? `Token ${short}` : `${Description} (${short})` };
      });
    },
    placeholderData: keepPreviousData,
  });
}

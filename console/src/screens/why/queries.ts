/** Queries for access checks and for the subjects with a permission. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { isRecord } from "../../kit/kind.ts";
import { asQuestion, type Question } from "../policies/queries.ts";
import * as texts from "../../texts/why.ts";

export type Decision = BodyOf<"explainDecisions">["Answers"][number];
export type Refused = BodyOf<"explainRefusal">;
export type AccessHolder = ItemOf<"listAccess">;

/** Whom it can be asked about. */
export const SUBJECTS = ["token", "role", "method"] as const;

/** Subject of an access check. */
export interface WhySubject {
  readonly as: (typeof SUBJECTS)[number];
  /** An AccessorID, the ID of a role, or the name of an auth method. */
  readonly id: string;
  /** Identity for a login with the method, as selectors see it, in JSON. */
  readonly claims: string;
}

/** The subject with its name. */
export interface WhoIsAsked {
  readonly as: WhySubject["as"];
  readonly id: string;
  readonly name: string;
  /** Why a login would be refused, with which nothing may be done. */
  readonly refusal?: string | undefined;
}

/** Action to check: an access to a resource, or a request. */
export type Deed = Question | { readonly request: string };

/** The body of the question. */
export function bodyOf({ as, id, claims }: WhySubject, deed: Deed) {
  const who = {
    token: () => ({ AccessorID: id }),
    role: () => ({ RoleID: id }),
    method: () => ({ AuthMethod: id, Identity: claimsOf(claims) }),
  };
  return { ...who[as](), Questions: ["request" in deed ? { Request: deed.request } : asQuestion(deed)] };
}

/** Returns the claims in a text; undefined when the text is not a JSON object. */
export function claimsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims: unknown = JSON.parse(text);
    return isRecord(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** May this do that? */
export function mayQuery(place: Place, asked: WhySubject, deed: Deed) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "why", "may", asked, deed),
    queryFn: async ({ signal }) => {
      const { Answers, Refusal } = (
        await place.client.request("explainDecisions", { body: bodyOf(asked, deed), signal })
      ).body;
      return { decision: Answers[0], refusal: Refusal };
    },
    staleTime: 0,
  });
}

/** Query for the subjects with a permission. */
export function whoQuery(place: Place, { resource, segment, access }: Question, isAsked: boolean) {
  return infiniteQueryOptions({
    queryKey: scopedKey(place.scope, "why", "who", resource, segment, access),
    queryFn: async ({ pageParam, signal }) => {
      const query = { resource, segment, access, "page-size": 50, after: pageParam === "" ? undefined : pageParam };
      const { body, headers } = await place.client.request<readonly AccessHolder[]>("listAccess", { query, signal });
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

const NOUNS = { token: "tokens", role: "roles", method: "auth-methods" } as const;

/** Tokens, roles or auth methods to ask about, by what was typed of them. */
export function choicesQuery(place: Place, as: WhySubject["as"], search: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, NOUNS[as], "choices", search),
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const query = { search: search === "" ? undefined : search, "page-size": MOST };
      if (as === "role") {
        const { body } = await place.client.request<readonly ItemOf<"listRoles">[]>("listRoles", { query, signal });
        return body.map(({ ID, Name }) => ({ value: ID, label: Name }));
      }
      if (as === "method") {
        const methods = await place.client.request<readonly ItemOf<"listAuthMethods">[]>("listAuthMethods", {
          query,
          signal,
        });
        return methods.body.map(({ Name, Type }) => ({ value: Name, label: `${Name} (${Type})` }));
      }
      const { body } = await place.client.request<readonly ItemOf<"listTokens">[]>("listTokens", { query, signal });
      return body.map(({ AccessorID: value, Description }) => {
        const short = value.slice(0, 8);
        return { value, label: Description === "" ? texts.shortToken(short) : `${Description} (${short})` };
      });
    },
    placeholderData: keepPreviousData,
  });
}

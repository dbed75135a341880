/** Queries for policies and for drafts of them. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import type { Members } from "../../kit/plan.ts";

export type Findings = BodyOf<"checkPolicy">;
export type PolicyFinding = Findings["Errors"][number];
export type Effect = BodyOf<"previewEffect">;

/** How much of a long text is a key: what was asked about it is not kept for long. */
const SHORT = 30_000;

/** Query for the errors in policy rules. Other members of a policy have fields of their own. */
export function checkQuery(place: Place, rules: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "policies", "check", rules),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request("checkPolicy", { body: { Rules: rules }, signal });
      return { ...body, Errors: body.Errors.filter(({ Member }) => Member === "Rules") };
    },
    staleTime: Infinity,
    gcTime: SHORT,
    placeholderData: keepPreviousData,
  });
}

/** Objects as they would be written: what is left out of them stays as it is. */
export interface EffectDraft {
  readonly Policies?: readonly Members[];
  readonly Roles?: readonly Members[];
  readonly Tokens?: readonly Members[];
  readonly DeletedPolicies?: readonly Members[];
  readonly DeletedRoles?: readonly Members[];
}

/** Query for the permissions that a draft would add and remove, and for the objects affected. */
export function effectQuery(place: Place, draft: EffectDraft) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "policies", "effect", draft),
    queryFn: async ({ signal }) => {
      const { effect, isHidden } = await readEffect(place, draft, { size: 1, signal });
      return { effect, isHidden };
    },
    gcTime: SHORT,
    placeholderData: keepPreviousData,
  });
}

interface EffectPage {
  /** Cursor of the page. */
  readonly after?: string;
  /** ID of a change, for its subjects only. */
  readonly change?: string;
  readonly size?: number;
  readonly signal?: AbortSignal;
}

/** Reads one page of the subjects that a draft affects. */
export async function readEffect(place: Place, draft: EffectDraft, { after, change, size, signal }: EffectPage) {
  const query = { "page-size": size ?? 1000, after: after || undefined, change };
  const options = { query, body: draft, ...(signal === undefined ? {} : { signal }) };
  const { body, headers } = await place.client.request("previewEffect", options);
  return {
    effect: body,
    isHidden: headers.get("x-service-results-filtered-by-acls") === "true",
    next: headers.get("x-service-next") || undefined,
  };
}

/** Subjects that the list of one change shows at first. */
const SUBJECTS = 50;

/** Query for the subjects of one change. */
export function subjectsQuery(place: Place, draft: EffectDraft, change: string) {
  return infiniteQueryOptions({
    queryKey: scopedKey(place.scope, "policies", "effect", draft, change),
    queryFn: async ({ pageParam, signal }) => {
      const page = { after: pageParam, change, size: SUBJECTS, signal };
      const { effect, next } = await readEffect(place, draft, page);
      return { ...effect, next };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    gcTime: SHORT,
  });
}

/** A question about a draft, as a person fills it in. */
export interface Question {
  readonly resource: string;
  readonly segment: string;
  readonly access: string;
}

/** A question as the API takes it. */
export function asQuestion({ resource, segment, access }: Question) {
  return { Resource: resource, Access: access, ...(segment === "" ? {} : { Segment: segment }) };
}

/** Query for the permissions of a token that has only the draft. */
export function draftAnswersQuery(place: Place, rules: string, questions: readonly Question[]) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "policies", "answers", rules, questions),
    queryFn: async ({ signal }) => {
      const body = { Rules: rules, Questions: questions.map(asQuestion) };
      return (await place.client.request<BodyOf<"explainDecisions">>("explainDecisions", { body, signal })).body
        .Answers;
    },
    enabled: questions.length > 0,
    gcTime: SHORT,
    placeholderData: keepPreviousData,
  });
}

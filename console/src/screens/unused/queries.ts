/** Queries for recorded use, for proposals by it, and for replays of it. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import type { Members } from "../../kit/plan.ts";
import type { EffectDraft } from "../policies/queries.ts";

export type UseReport = BodyOf<"readUse">;
export type UseEntry = UseReport["Entries"][number];
export type TightenedPolicy = BodyOf<"tightenPolicy">;
export type TightenedRole = BodyOf<"tightenRole">;
export type Replay = BodyOf<"replayDraft">;
export type ReplayEntry = Replay["Entries"][number];

/** Kinds of subjects of a report. */
export type UseKind = "policy" | "rule" | "role" | "token" | "binding-rule";

/** Parameters of a report, as the API has them. */
export interface AskedUse {
  readonly by: UseKind;
  readonly id?: string;
  readonly policy?: string;
  readonly "unused-for"?: string;
}

/** Objects as they would be written. A replay also knows binding rules: it repeats the last logins under them. */
export interface ReplayDraft extends EffectDraft {
  readonly BindingRules?: readonly Members[];
  readonly DeletedBindingRules?: readonly Members[];
}

/** Recorded use changes with every request, so that a report is read again after a while only. */
const FRESH = 60_000;
/** How long what was asked about a draft is kept. */
const SHORT = 30_000;

/** Query for a report. */
export function reportQuery(place: Place, asked: AskedUse) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "use", asked),
    queryFn: async ({ signal }) => (await place.client.request("readUse", { query: { ...asked }, signal })).body,
    staleTime: FRESH,
  });
}

/** Asks for a smaller policy. */
export function tightenPolicyFetch(place: Place, id: string, days: number) {
  return {
    queryKey: scopedKey(place.scope, "tighten", "policy", id, days),
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await place.client.request("tightenPolicy", { path: { id }, body: { Days: days }, signal })).body,
  };
}

/** Query for a smaller policy. Its result begins a form, so that it is not read again. */
export function tightenPolicyQuery(place: Place, id: string, days: number) {
  return queryOptions({ ...tightenPolicyFetch(place, id, days), staleTime: Infinity });
}

/** Asks for a smaller role. */
export function tightenRoleFetch(place: Place, id: string, days: number) {
  return {
    queryKey: scopedKey(place.scope, "tighten", "role", id, days),
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await place.client.request("tightenRole", { path: { id }, body: { Days: days }, signal })).body,
  };
}

/** Query for a smaller role. */
export function tightenRoleQuery(place: Place, id: string, days: number) {
  return queryOptions({ ...tightenRoleFetch(place, id, days), staleTime: Infinity });
}

/** Differences that are listed. */
export const MOST_SHOWN = 50;

/** Query for the recorded use that a draft gives another result. */
export function replayQuery(place: Place, draft: ReplayDraft) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "policies", "replay", draft),
    queryFn: async ({ signal }) => {
      const options = { query: { "page-size": MOST_SHOWN }, body: draft, signal };
      return (await place.client.request("replayDraft", options)).body;
    },
    gcTime: SHORT,
    placeholderData: keepPreviousData,
  });
}

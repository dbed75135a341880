/** Queries of the login workbench. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import type { BindingRuleRow } from "../binding-rules/named.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";

export type Method = ItemOf<"listAuthMethods">;
export type Explanation = BodyOf<"explainLogin">;

/** Number of records of denied logins to choose from. */
const REFUSALS = 20;

/** Login to explain: a credential or claims, and a binding rule that does not exist yet. */
export interface LoginDraft {
  readonly AuthMethod: string;
  readonly BearerToken?: string;
  readonly Identity?: Readonly<Record<string, unknown>>;
  readonly BindingRule?: Readonly<Record<string, unknown>>;
}

/** The auth methods of the scope. */
export function methodsQuery(place: Place) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "auth-methods", "names"),
    queryFn: async ({ signal }) =>
      (await place.client.request<readonly Method[] | null>("listAuthMethods", { signal })).body ?? [],
  });
}

/** Query for the binding rules of an auth method, by ID. */
export function rulesOfMethodQuery(place: Place, method: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "binding-rules", "of", method),
    queryFn: async ({ signal }) => {
      const query = { authmethod: method };
      const { body } = await place.client.request<readonly BindingRuleRow[] | null>("listBindingRules", {
        query,
        signal,
      });
      return new Map((body ?? []).map((rule) => [rule.ID, rule]));
    },
  });
}

/** Logins that were refused lately. */
export function refusedQuery(place: Place) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "audit", "refused-logins"),
    queryFn: async ({ signal }) => {
      const query = { kind: "login", outcome: "refused", "page-size": REFUSALS };
      return (await place.client.request<readonly AuditRecord[]>("listAudit", { query, signal })).body;
    },
  });
}

let last = 0;
const serials = new WeakMap<LoginDraft, number>();

/** Returns a number that stands for the request in the query key: keys of the cache must not contain a credential. */
function serialOf(asked: LoginDraft): number {
  const serial = serials.get(asked) ?? (last += 1);
  serials.set(asked, serial);
  return serial;
}

/** Query that explains a login without creating a token. It is read again when binding rules change. */
export function explainQuery(place: Place, asked: LoginDraft | undefined) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "binding-rules", "explained", asked === undefined ? 0 : serialOf(asked)),
    queryFn: async ({ signal }): Promise<Explanation> =>
      (await place.client.request("explainLogin", { body: asked, signal })).body,
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

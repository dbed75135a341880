/** Queries for tokens. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import * as texts from "../../texts/tokens.ts";

export type TokenRow = ItemOf<"listTokens">;
export type Token = BodyOf<"readToken">;

/** Query for one token, without its secret. The secret is read only when the user asks to see it. */
export function tokenQuery(place: Place, accessor: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "tokens", "one", accessor),
    queryFn: async ({ signal }) => withoutSecret(await place.client.tokens.read({ accessor, signal })),
  });
}

/** The cache holds no secret: a page that is left open must not give one away. */
function withoutSecret(token: Token): Token {
  return { ...token, SecretID: "" };
}

/** Title of a token, which has no name: its description, or the first 8 characters of its AccessorID. */
export function titleOf({ Description, AccessorID }: Pick<Token, "Description" | "AccessorID">): string {
  return Description === "" ? texts.untitled(AccessorID.slice(0, 8)) : Description;
}

/** The ID of the built-in policy that may do everything. */
export const MANAGEMENT_POLICY = "00000000-0000-0000-0000-000000000001";

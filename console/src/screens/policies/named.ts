import type { BodyOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";
import { screenNames } from "../../texts/names.ts";

export type Policy = BodyOf<"readPolicy">;

/** Policies, as they are read and called. */
export const POLICY: Named<Policy> = {
  noun: "policies",
  singular: screenNames.policies.singular,
  plural: screenNames.policies.plural,
  read: "readPolicy",
  parameter: "id",
  key: ({ ID }) => ID,
  title: ({ Name }) => Name,
};

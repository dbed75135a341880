import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";
import { screenNames } from "../../texts/names.ts";

export type RoleRow = ItemOf<"listRoles">;
export type Role = BodyOf<"readRole">;

/** Roles, as they are read and called. */
export const ROLE: Named<Role> = {
  noun: "roles",
  singular: screenNames.roles.singular,
  plural: screenNames.roles.plural,
  read: "readRole",
  parameter: "id",
  key: ({ ID }) => ID,
  title: ({ Name }) => Name,
};

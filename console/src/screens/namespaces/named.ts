import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";
import { screenNames } from "../../texts/names.ts";

export type NamespaceRow = ItemOf<"listNamespaces">;
export type Namespace = BodyOf<"readNamespace">;

/** Namespaces, as they are read and called. */
export const NAMESPACE: Named<Namespace> = {
  noun: "namespaces",
  singular: screenNames.namespaces.singular,
  plural: screenNames.namespaces.plural,
  read: "readNamespace",
  parameter: "name",
  key: ({ Name }) => Name,
  title: ({ Name }) => Name,
};

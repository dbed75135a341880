import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { NAMESPACE } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Namespaces: scopes of access control. */
export const NAMESPACES: Screen = {
  noun: "namespaces",
  title: screenNames.namespaces.plural,
  summary: screenNames.namespaces.summary,
  icon: "namespace",
  place: "scope",
  group: "Access",
  pages: kindPages(NAMESPACE, async () => (await import("./list-of-namespaces.tsx")).NAMESPACE_LIST, {
    list: async () => (await import("./list.tsx")).NamespaceList,
    create: async () => (await import("./pages.tsx")).NamespaceCreate,
    object: async () => (await import("./pages.tsx")).NamespaceObject,
    edit: async () => (await import("./pages.tsx")).NamespaceEdit,
  }),
  actions: [
    {
      title: screenNames.namespaces.createAction,
      path: "namespaces/new",
      right: { resource: "operator", access: "write" },
    },
  ],
};

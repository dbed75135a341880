import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { NAMESPACE } from "./named.ts";

/** Namespaces: where objects of access control lie. */
export const NAMESPACES: Screen = {
  noun: "namespaces",
  title: "Namespaces",
  summary: "Each with its own tokens, policies, roles and ways to log in",
  icon: "namespace",
  place: "scope",
  group: "Access",
  pages: kindPages(NAMESPACE, async () => (await import("./list-of-namespaces.tsx")).NAMESPACE_LIST, {
    list: async () => (await import("./list.tsx")).NamespaceList,
    create: async () => (await import("./pages.tsx")).NamespaceCreate,
    object: async () => (await import("./pages.tsx")).NamespaceObject,
    edit: async () => (await import("./pages.tsx")).NamespaceEdit,
  }),
  actions: [{ title: "New namespace", path: "namespaces/new", right: { resource: "operator", access: "write" } }],
};

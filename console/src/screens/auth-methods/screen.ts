import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { AUTH_METHOD } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Auth methods: identity providers for login. */
export const AUTH_METHODS: Screen = {
  noun: "auth-methods",
  title: screenNames.authMethods.plural,
  summary: screenNames.authMethods.summary,
  icon: "method",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: kindPages(AUTH_METHOD, async () => (await import("./list-of-auth-methods.tsx")).AUTH_METHOD_LIST, {
    list: async () => (await import("./list.tsx")).AuthMethodList,
    create: async () => (await import("./pages.tsx")).AuthMethodCreate,
    object: async () => (await import("./pages.tsx")).AuthMethodObject,
    edit: async () => (await import("./pages.tsx")).AuthMethodEdit,
  }),
  actions: [
    {
      title: screenNames.authMethods.createAction,
      path: "auth-methods/new",
      right: { resource: "acl", access: "write" },
    },
  ],
};

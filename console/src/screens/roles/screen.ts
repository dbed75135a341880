import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { ROLE } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Roles: reusable sets of policies. */
export const ROLES: Screen = {
  noun: "roles",
  title: screenNames.roles.plural,
  summary: screenNames.roles.summary,
  icon: "role",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: kindPages(ROLE, async () => (await import("./list-of-roles.tsx")).ROLE_LIST, {
    list: async () => (await import("./list.tsx")).RoleList,
    create: async () => (await import("./pages.tsx")).RoleCreate,
    object: async () => (await import("./pages.tsx")).RoleObject,
    edit: async () => (await import("./pages.tsx")).RoleEdit,
  }),
  actions: [{ title: screenNames.roles.createAction, path: "roles/new", right: { resource: "acl", access: "write" } }],
};

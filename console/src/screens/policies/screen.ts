import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { POLICY } from "./named.ts";

/** Policies: rules, by which it is decided who may do what. */
export const POLICIES: Screen = {
  noun: "policies",
  title: "Policies",
  summary: "Rules, by which it is decided who may do what",
  icon: "policy",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: kindPages(POLICY, async () => (await import("./list-of-policies.tsx")).POLICY_LIST, {
    list: async () => (await import("./list.tsx")).PolicyList,
    create: async () => (await import("./pages.tsx")).PolicyCreate,
    object: async () => (await import("./pages.tsx")).PolicyObject,
    edit: async () => (await import("./pages.tsx")).PolicyEdit,
  }),
  actions: [{ title: "New policy", path: "policies/new", right: { resource: "acl", access: "write" } }],
};

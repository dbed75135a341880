import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { POLICY } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Policies: rules that grant permissions. */
export const POLICIES: Screen = {
  noun: "policies",
  title: screenNames.policies.plural,
  summary: screenNames.policies.summary,
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
  actions: [
    { title: screenNames.policies.createAction, path: "policies/new", right: { resource: "acl", access: "write" } },
  ],
};

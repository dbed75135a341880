import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { BINDING_RULE } from "./named.ts";

/** Binding rules: what whoever logs in gets. */
export const BINDING_RULES: Screen = {
  noun: "binding-rules",
  title: "Binding rules",
  summary: "What whoever logs in gets",
  icon: "rule",
  place: "scope",
  group: "Access",
  right: { resource: "acl", access: "read" },
  pages: kindPages(BINDING_RULE, async () => (await import("./list-of-binding-rules.tsx")).BINDING_RULE_LIST, {
    list: async () => (await import("./list.tsx")).BindingRuleList,
    create: async () => (await import("./pages.tsx")).BindingRuleCreate,
    object: async () => (await import("./pages.tsx")).BindingRuleObject,
    edit: async () => (await import("./pages.tsx")).BindingRuleEdit,
  }),
  actions: [{ title: "New binding rule", path: "binding-rules/new", right: { resource: "acl", access: "write" } }],
};

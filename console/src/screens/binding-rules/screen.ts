import type { Screen } from "../../kit/screen.ts";
import { kindPages } from "../../kit/kind-pages.ts";
import { BINDING_RULE } from "./named.ts";
import { screenNames } from "../../texts/names.ts";

/** Binding rules: permissions of logins. */
export const BINDING_RULES: Screen = {
  noun: "binding-rules",
  title: screenNames.bindingRules.plural,
  summary: screenNames.bindingRules.summary,
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
  actions: [
    {
      title: screenNames.bindingRules.createAction,
      path: "binding-rules/new",
      right: { resource: "acl", access: "write" },
    },
  ],
};

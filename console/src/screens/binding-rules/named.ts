import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";
import { screenNames } from "../../texts/names.ts";

export type BindingRuleRow = ItemOf<"listBindingRules">;
export type BindingRule = BodyOf<"readBindingRule">;

/** Binding rules, as they are read and called. */
export const BINDING_RULE: Named<BindingRule> = {
  noun: "binding-rules",
  singular: screenNames.bindingRules.singular,
  plural: screenNames.bindingRules.plural,
  read: "readBindingRule",
  parameter: "id",
  key: ({ ID }) => ID,
  title: titleOf,
};

/** Title of a binding rule: its description, or what it grants to logins of which auth method. */
export function titleOf({ Description, AuthMethod, BindType, BindName }: BindingRuleRow): string {
  return Description === ""
    ? screenNames.bindingRules.untitled(AuthMethod, BIND_TYPES[BindType], BindName)
    : Description;
}

/** Names of the bind types in the console. */
export const BIND_TYPES = {
  role: screenNames.bindingRules.role,
  policy: screenNames.bindingRules.policy,
  service: screenNames.bindingRules.serviceIdentity,
  node: screenNames.bindingRules.nodeIdentity,
  "templated-policy": screenNames.bindingRules.templatedPolicy,
} as const satisfies Record<BindingRuleRow["BindType"], string>;

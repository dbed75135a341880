import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";

export type BindingRuleRow = ItemOf<"listBindingRules">;
export type BindingRule = BodyOf<"readBindingRule">;

/** Binding rules, as they are read and called. */
export const BINDING_RULE: Named<BindingRule> = {
  noun: "binding-rules",
  singular: "binding rule",
  plural: "Binding rules",
  read: "readBindingRule",
  parameter: "id",
  key: ({ ID }) => ID,
  title: titleOf,
};

/** Title of a binding rule: its description, or the bind type and name. */
export function titleOf({ Description, BindType, BindName }: BindingRuleRow): string {
  return Description === "" ? `${BIND_TYPES[BindType]} ${BindName}` : Description;
}

/** Names of the bind types in the console. */
export const BIND_TYPES = {
  role: "Role",
  policy: "Policy",
  service: "Service identity",
  node: "Node identity",
  "templated-policy": "Templated policy",
} as const satisfies Record<BindingRuleRow["BindType"], string>;

/** Deletes the selected binding rules. */
import { BulkDelete, type BulkDeletion } from "../../kit/bulk-delete.tsx";
import type { Selection } from "../../kit/selection.ts";
import { titleOf, type BindingRuleRow } from "./named.ts";
import * as texts from "../../texts/binding-rules.ts";
import { screenNames } from "../../texts/names.ts";

const DELETION: BulkDeletion<BindingRuleRow> = {
  noun: "binding-rules",
  singular: screenNames.bindingRules.singular,
  plural: screenNames.bindingRules.plural,
  warning: texts.deleteManyWarning,
  write: { resource: "acl", access: "write" },
  title: titleOf,
  plan: ({ ID: id, ModifyIndex }) => ({
    operation: "deleteBindingRule",
    path: { id },
    query: { cas: String(ModifyIndex) },
    command: ["binding-rule", "delete", id, "--cas", String(ModifyIndex), "--yes"],
  }),
};

/** The button and its dialog. */
export function BulkDeleteBindingRules({ selection }: { selection: Selection<BindingRuleRow> }) {
  return <BulkDelete selection={selection} deletion={DELETION} />;
}

/** Deletes the selected binding rules. */
import { usePlace } from "../../base/place.ts";
import { BulkDelete, type BulkDeletion } from "../../kit/bulk-delete.tsx";
import type { Selection } from "../../kit/selection.ts";
import { ReplayPanel } from "../unused/replay.tsx";
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
  impact: (rows) => <DeletedUse rules={rows.map(({ ID }) => ({ ID }))} />,
};

/** Recorded use that the next logins would lose; rules of several namespaces are not replayed together. */
function DeletedUse({ rules }: { rules: readonly { readonly ID: string }[] }) {
  const { scope } = usePlace();
  return scope.namespace === "*" ? null : <ReplayPanel draft={{ DeletedBindingRules: rules }} isSound />;
}

/** The button and its dialog. */
export function BulkDeleteBindingRules({ selection }: { selection: Selection<BindingRuleRow> }) {
  return <BulkDelete selection={selection} deletion={DELETION} />;
}

/** Deletes the selected policies. */
import { BulkDelete, type BulkDeletion } from "../../kit/bulk-delete.tsx";
import type { Selection } from "../../kit/selection.ts";
import { isBuiltIn } from "../../kit/cells.tsx";
import { DeleteEffect } from "./effect.tsx";
import type { PolicyRow } from "./list-of-policies.tsx";
import * as texts from "../../texts/policies.ts";
import { screenNames } from "../../texts/names.ts";

const DELETION: BulkDeletion<PolicyRow> = {
  noun: "policies",
  singular: screenNames.policies.singular,
  plural: screenNames.policies.plural,
  warning: texts.deleteManyWarning,
  write: { resource: "acl", access: "write" },
  title: ({ Name }) => Name,
  plan: ({ ID: id, ModifyIndex }) => ({
    operation: "deletePolicy",
    path: { id },
    query: { cas: String(ModifyIndex) },
    command: ["policy", "delete", id, "--cas", String(ModifyIndex), "--yes"],
  }),
  keeps: (row) => (isBuiltIn(row) ? texts.builtIn : undefined),
  impact: (rows) => <DeleteEffect policies={rows.map(({ ID }) => ID)} />,
};

/** The button and its dialog. */
export function BulkDeletePolicies({ selection }: { selection: Selection<PolicyRow> }) {
  return <BulkDelete selection={selection} deletion={DELETION} />;
}

/** Deletes the selected roles. */
import { BulkDelete, type BulkDeletion } from "../../kit/bulk-delete.tsx";
import type { Selection } from "../../kit/selection.ts";
import { DeleteEffect } from "../policies/effect.tsx";
import type { RoleRow } from "./named.ts";
import * as texts from "../../texts/roles.ts";
import { screenNames } from "../../texts/names.ts";

const DELETION: BulkDeletion<RoleRow> = {
  noun: "roles",
  singular: screenNames.roles.singular,
  plural: screenNames.roles.plural,
  warning: texts.deleteManyWarning,
  write: { resource: "acl", access: "write" },
  title: ({ Name }) => Name,
  plan: ({ ID: id, ModifyIndex }) => ({
    operation: "deleteRole",
    path: { id },
    query: { cas: String(ModifyIndex) },
    command: ["role", "delete", id, "--cas", String(ModifyIndex), "--yes"],
  }),
  impact: (rows) => <DeleteEffect roles={rows.map(({ ID }) => ID)} />,
};

/** The button and its dialog. */
export function BulkDeleteRoles({ selection }: { selection: Selection<RoleRow> }) {
  return <BulkDelete selection={selection} deletion={DELETION} />;
}

/** Work on the selected roles. */
import { BulkGrants, type GrantsKind } from "../../kit/bulk-grants.tsx";
import { flagsOf } from "../../kit/plan.ts";
import type { Selection } from "../../kit/selection.ts";
import { RolesEffect } from "../policies/effect.tsx";
import { BulkDeleteRoles } from "./bulk-delete.tsx";
import { ROLE_KIND } from "./kind.tsx";
import type { RoleRow } from "./named.ts";
import * as texts from "../../texts/roles.ts";
import { screenNames } from "../../texts/names.ts";

/** Policies of roles. */
export const ROLE_GRANTS: GrantsKind<RoleRow> = {
  noun: "roles",
  singular: screenNames.roles.singular,
  plural: screenNames.roles.plural,
  button: texts.policies,
  note: texts.grantsNote,
  hasRoles: false,
  title: ({ Name }) => Name,
  plan: ({ ID: id, ModifyIndex }, changed) => ({
    operation: "updateRole",
    path: { id },
    query: { cas: String(ModifyIndex) },
    body: changed,
    command: ["role", "update", id, ...flagsOf(changed, ROLE_KIND.flags), "--cas", String(ModifyIndex)],
  }),
  impact: (changed) => <RolesEffect drafts={changed.map(({ row, members }) => ({ ID: row.ID, ...members }))} />,
};

/** All buttons, the delete last. */
export function BulkRoles({ selection }: { selection: Selection<RoleRow> }) {
  return (
    <>
      <BulkGrants selection={selection} kind={ROLE_GRANTS} />
      <BulkDeleteRoles selection={selection} />
    </>
  );
}

/** Work on the selected policies. */
import type { Selection } from "../../kit/selection.ts";
import { BulkDeletePolicies } from "./bulk-delete.tsx";
import { BulkRolesOfPolicies } from "./bulk-roles.tsx";
import type { PolicyRow } from "./list-of-policies.tsx";

/** All buttons, the delete last. */
export function BulkPolicies({ selection }: { selection: Selection<PolicyRow> }) {
  return (
    <>
      <BulkRolesOfPolicies selection={selection} />
      <BulkDeletePolicies selection={selection} />
    </>
  );
}

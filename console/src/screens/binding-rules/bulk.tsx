/** Work on the selected binding rules. */
import type { Selection } from "../../kit/selection.ts";
import { BulkChangeBindingRules } from "./bulk-change.tsx";
import { BulkDeleteBindingRules } from "./bulk-delete.tsx";
import type { BindingRuleRow } from "./named.ts";

/** All buttons, the delete last. */
export function BulkBindingRules({ selection }: { selection: Selection<BindingRuleRow> }) {
  return (
    <>
      <BulkChangeBindingRules selection={selection} />
      <BulkDeleteBindingRules selection={selection} />
    </>
  );
}

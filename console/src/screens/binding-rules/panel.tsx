/** Details of a binding rule beside the list. */
import { ObjectOfRow } from "../../kit/list-panel.tsx";
import { BINDING_RULE, type BindingRuleRow } from "./named.ts";
import { BindingRuleOverview } from "./pages.tsx";

/** The overview of its page. */
export function BindingRulePanel({ row }: { row: BindingRuleRow }) {
  return (
    <ObjectOfRow named={BINDING_RULE} row={row} id={row.ID}>
      {(rule) => <BindingRuleOverview rule={rule} />}
    </ObjectOfRow>
  );
}

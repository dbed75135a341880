/** Details of a policy beside the list. */
import { ObjectOfRow } from "../../kit/list-panel.tsx";
import { POLICY } from "./named.ts";
import type { PolicyRow } from "./list-of-policies.tsx";
import { PolicyOverview } from "./pages.tsx";

/** The overview of its page. */
export function PolicyPanel({ row }: { row: PolicyRow }) {
  return (
    <ObjectOfRow named={POLICY} row={row} id={row.ID}>
      {(policy) => <PolicyOverview policy={policy} />}
    </ObjectOfRow>
  );
}

/** Details of a role beside the list. */
import { ObjectOfRow } from "../../kit/list-panel.tsx";
import { ROLE, type RoleRow } from "./named.ts";
import { RoleOverview } from "./pages.tsx";

/** The overview of its page. */
export function RolePanel({ row }: { row: RoleRow }) {
  return (
    <ObjectOfRow named={ROLE} row={row} id={row.ID}>
      {(role) => <RoleOverview role={role} />}
    </ObjectOfRow>
  );
}

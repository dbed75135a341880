import { ListScreen } from "../../kit/list-screen.tsx";
import { ROLE_LIST } from "./list-of-roles.tsx";

/** All roles of the scope. */
export function RoleList() {
  return <ListScreen list={ROLE_LIST} />;
}

import { ListScreen } from "../../kit/list-screen.tsx";
import { POLICY_LIST } from "./list-of-policies.tsx";

/** All policies of the scope. */
export function PolicyList() {
  return <ListScreen list={POLICY_LIST} />;
}

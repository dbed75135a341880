import { ListScreen } from "../../kit/list-screen.tsx";
import { SHORTCOMING_LIST } from "./list-of-shortcomings.tsx";

/** List of non-compliant workspaces. */
export function ShortcomingList() {
  return <ListScreen list={SHORTCOMING_LIST} />;
}

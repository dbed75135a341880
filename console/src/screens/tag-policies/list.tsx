import { ListScreen } from "../../kit/list-screen.tsx";
import { SHORTCOMING_LIST } from "./list-of-shortcomings.tsx";

/** Who falls short of the rules. */
export function ShortcomingList() {
  return <ListScreen list={SHORTCOMING_LIST} />;
}

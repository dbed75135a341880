import { ListScreen } from "../../kit/list-screen.tsx";
import { RESERVED_KEY_LIST } from "./list-of-reserved-keys.tsx";

/** The reserved keys of the organization. */
export function ReservedKeyList() {
  return <ListScreen list={RESERVED_KEY_LIST} />;
}

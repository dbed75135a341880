import { ListScreen } from "../../kit/list-screen.tsx";
import { TAG_LIST } from "./list-of-tags.tsx";

/** The pool of the organization. */
export function TagList() {
  return <ListScreen list={TAG_LIST} />;
}

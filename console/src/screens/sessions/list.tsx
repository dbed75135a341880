import { ListScreen } from "../../kit/list-screen.tsx";
import { SESSION_LIST } from "./list-of-sessions.tsx";

/** All sessions that may be seen. */
export function SessionList() {
  return <ListScreen list={SESSION_LIST} />;
}

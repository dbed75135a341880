import { ListScreen } from "../../kit/list-screen.tsx";
import { PROJECT_LIST } from "./list-of-projects.tsx";

/** The projects of the organization. */
export function ProjectList() {
  return <ListScreen list={PROJECT_LIST} />;
}

import { ListScreen } from "../../kit/list-screen.tsx";
import { PROJECT_COVERAGE_LIST } from "./list-of-projects.tsx";

/** List of projects with their coverage of required tag keys. */
export function ProjectCoverage() {
  return <ListScreen list={PROJECT_COVERAGE_LIST} />;
}

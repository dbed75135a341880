import { ListScreen } from "../../kit/list-screen.tsx";
import { JOB_LIST } from "./list-of-jobs.tsx";

/** The jobs of the organization. */
export function JobList() {
  return <ListScreen list={JOB_LIST} />;
}

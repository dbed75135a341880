import { ListScreen } from "../../kit/list-screen.tsx";
import { ORGANIZATION_LIST } from "./list-of-organizations.tsx";

/** The organizations that may be seen. */
export function OrganizationList() {
  return <ListScreen list={ORGANIZATION_LIST} />;
}

import { ListScreen } from "../../kit/list-screen.tsx";
import { NAMESPACE_LIST } from "./list-of-namespaces.tsx";

/** All namespaces of the partition. */
export function NamespaceList() {
  return <ListScreen list={NAMESPACE_LIST} />;
}

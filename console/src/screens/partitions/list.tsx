import { ListScreen } from "../../kit/list-screen.tsx";
import { PARTITION_LIST } from "./list-of-partitions.tsx";

/** All partitions of the server. */
export function PartitionList() {
  return <ListScreen list={PARTITION_LIST} />;
}

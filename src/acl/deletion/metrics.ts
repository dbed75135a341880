/** How far the deletion of namespaces, partitions and auth methods is, for whoever watches the server. */
import type { MetricRegistry } from "../../metrics.ts";
import type { DeletionProgress } from "./removal.ts";

export function measureDeletion({ gauge }: Pick<MetricRegistry, "gauge">, read: () => DeletionProgress): void {
  gauge(
    "tessera_deletions_pending",
    "Namespaces and partitions that are marked for deletion, and deleted auth methods whose tokens and rules are being removed",
    () => read().pending,
  );
  gauge(
    "tessera_deletions_finished",
    "Namespaces, partitions and auth methods that this process has deleted to the last row",
    () => read().finished,
  );
  gauge("tessera_deleted_rows", "Rows that this process has deleted in the background", () => read().removedRows);
}

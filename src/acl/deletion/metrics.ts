/** How far the deletion of namespaces, partitions and auth methods is, for whoever watches the server. */
import type { MetricRegistry } from "../../metrics.ts";
import type { DeletionProgress } from "./removal.ts";

export function measureDeletion({ gauge }: Pick<MetricRegistry, "gauge">, read: () => DeletionProgress): void {
  gauge(
    "tessera_deletions_pending",
    "Namespaces, partitions and auth methods whose contents are still being deleted",
    () => read().pending,
  );
  gauge(
    "tessera_deletions_finished",
    "Namespaces, partitions and auth methods that this process has deleted completely",
    () => read().finished,
  );
  gauge("tessera_deleted_rows", "Number of rows deleted in the background by this process", () => read().removedRows);
}

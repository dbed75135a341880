import type { MetricRegistry } from "../metrics.ts";
import type { UseMemory } from "../records/uses/memory.ts";

/** Measures the use ledger of this server. */
export function measureUses({ gauge }: MetricRegistry, memory: Pick<UseMemory, "stats">): void {
  gauge("tessera_use_bytes", "Memory of recorded permission use that is not written yet", () => memory.stats().bytes);
  gauge("tessera_use_folded", "Number of uses recorded without their name", () => memory.stats().folded);
  gauge("tessera_use_dropped", "Number of uses not recorded", () => memory.stats().dropped);
}

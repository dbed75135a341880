/** How it stands with the keys, for `/metrics`. */
import type { KeyState } from "./watch.ts";

interface Gauges {
  gauge(name: string, help: string, read: () => number): void;
}

/** @param read as of the last look; every server tells the same of what is sealed anew */
export function measureKeys({ gauge }: Gauges, read: () => KeyState): void {
  const reseal = () => read().reseal;
  gauge("tessera_master_key_rotating", "1 while two master keys open the database", () => Number(read().isRotating));
  gauge("tessera_master_key_old", "Servers of these numbers that run by the master key that is being replaced", () =>
    Number(read().runsByOld),
  );
  gauge("tessera_reseal_running", "1 while what is sealed is being sealed anew", () =>
    Number(reseal()?.state === "sealing"),
  );
  gauge("tessera_reseal_pass", "Times that it has begun to go through everything", () => reseal()?.pass ?? 0);
  gauge("tessera_reseal_seen", "Values that this pass has looked at", () => reseal()?.seen ?? 0);
  gauge("tessera_reseal_resealed", "Values that were sealed anew, of all passes", () => reseal()?.resealed ?? 0);
  gauge("tessera_reseal_damaged", "Values of this pass that do not open", () => reseal()?.damaged ?? 0);
}

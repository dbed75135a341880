/** How it stands with the keys, for `/metrics`. */
import type { KeyState } from "./watch.ts";

interface Gauges {
  gauge(name: string, help: string, read: () => number): void;
}

/** @param read as of the last look; every server tells the same of what is sealed anew */
export function measureKeys({ gauge }: Gauges, read: () => KeyState): void {
  const reseal = () => read().reseal;
  gauge("tessera_master_key_rotating", "1 while two master keys can decrypt the database", () =>
    Number(read().isRotating),
  );
  gauge("tessera_master_key_old", "Number of servers in these metrics that use the old master key", () =>
    Number(read().runsByOld),
  );
  gauge("tessera_reseal_running", "1 while re-encryption is running", () => Number(reseal()?.state === "sealing"));
  gauge("tessera_reseal_pass", "Number of re-encryption passes", () => reseal()?.pass ?? 0);
  gauge("tessera_reseal_seen", "Number of values checked in this pass", () => reseal()?.seen ?? 0);
  gauge("tessera_reseal_resealed", "Number of re-encrypted values in all passes", () => reseal()?.resealed ?? 0);
  gauge(
    "tessera_reseal_damaged",
    "Number of values of this pass that cannot be decrypted",
    () => reseal()?.damaged ?? 0,
  );
}

import type { Config } from "../config.ts";
import type { StoredSettings } from "../storage/settings.ts";

/** Returns the settings that a database stores from a configuration. */
export function settingsOf({ edition, datacenter, defaultPolicy }: Config): StoredSettings {
  return { edition, datacenter, "default-policy": defaultPolicy };
}

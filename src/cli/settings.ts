import type { Config } from "../config.ts";
import type { Settings } from "../storage/settings.ts";

/** What a database keeps of a configuration. */
export function settingsOf({ edition, datacenter, defaultPolicy }: Config): Settings {
  return { edition, datacenter, "default-policy": defaultPolicy };
}

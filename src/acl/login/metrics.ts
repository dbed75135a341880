import type { Database } from "../../storage/database.ts";
import { countLoginTokens } from "../tokens/store.ts";
import type { LoginServices } from "./services.ts";

/** Registry of gauges, as `http/metrics/metrics.ts` provides it. */
interface Gauges {
  gauge(name: string, help: string, read: () => number): void;
}

/** Minimum time between two counts of tokens. */
const COUNT_EVERY_MS = 15_000;

/**
 * Adds the metrics of logins.
 *
 * @param now milliseconds since the epoch
 * @returns counts for the first time, so that the first scrape has a number
 */
export function measureLogins(
  { gauge }: Gauges,
  db: Database,
  services: LoginServices,
  now: () => number,
): () => Promise<void> {
  let [count, countedAt] = [0, -Infinity];
  const recount = async (): Promise<void> => {
    try {
      count = await countLoginTokens(db.long, now());
    } catch {
      countedAt = -Infinity;
    }
  };
  gauge("tessera_login_tokens", "Active tokens created by logins, a few seconds old", () => {
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now();
      // A scrape waits for nothing: the next one shows it.
      void recount();
    }
    return count;
  });
  const { limits, bindingRuleSets } = services;
  gauge("tessera_login_rules_bytes", "Memory of the cache of compiled binding rules", () => bindingRuleSets.bytes());
  gauge(
    "tessera_login_failure_entries",
    "Tracked pairs of auth method and address or claimed identity with denied logins",
    () => limits.entries().failures,
  );
  gauge(
    "tessera_login_rate_entries",
    "Tracked identities and auth methods of login rate limits",
    () => limits.entries().logins,
  );
  return recount;
}

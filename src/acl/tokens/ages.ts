/** How many tokens there are of which age, for `/metrics`. */
import type { Database } from "../../storage/database.ts";
import type { MetricRegistry } from "../../metrics.ts";
import { AGE_CLASSES, countByAge, countExpiring } from "./use-store.ts";

/** Minimum time between two counts, since a count reads all tokens. Without a scrape nothing is counted. */
const COUNT_EVERY_MS = 5 * 60_000;

const DAY_MS = 24 * 60 * 60_000;
const SOON = [
  ["1d", DAY_MS],
  ["7d", 7 * DAY_MS],
] as const;

/**
 * Adds the metrics. A scrape does not wait: it starts a count, and the next scrape shows the result.
 *
 * @param now milliseconds since the epoch
 */
export function measureAges({ gauges }: Pick<MetricRegistry, "gauges">, db: Database, now: () => number): void {
  /** By class and use; undefined before the first count. */
  let counts: ReadonlyMap<string, number> | undefined;
  let expiring: readonly number[] = [];
  let countedAt = -Infinity;

  async function count(): Promise<void> {
    countedAt = performance.now();
    try {
      const found = await countByAge(db.long, now());
      const at = now();
      expiring = await Promise.all(SOON.map(async ([, ms]) => countExpiring(db.long, at, at + ms)));
      counts = new Map(found.map(({ age, used, count: tokens }) => [`${used} ${age}`, tokens]));
    } catch {
      // The next scrape counts again.
      countedAt = -Infinity;
    }
  }

  gauges(
    "tessera_tokens_expiring",
    "Tokens not created by logins that expire within a day or a week, a few minutes old",
    ["within"],
    () => expiring.map((tokens, index) => [{ within: SOON[index]?.[0] ?? "" }, tokens] as const),
  );
  gauges(
    "tessera_tokens",
    "Tokens by time since their last use, or since creation if never used, a few minutes old",
    ["age", "used"],
    () => {
      if (performance.now() - countedAt > COUNT_EVERY_MS) void count();
      const known = counts;
      if (known === undefined) return [];
      return ["yes", "no"].flatMap((used) =>
        AGE_CLASSES.map((age) => [{ age, used }, known.get(`${used} ${age}`) ?? 0] as const),
      );
    },
  );
}

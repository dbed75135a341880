/** How many tokens there are of which age, for `/metrics`. */
import type { Database } from "../../storage/database.ts";
import type { MetricRegistry } from "../../metrics.ts";
import { AGE_CLASSES, countByAge, countExpiring } from "./use-store.ts";

/** So often they are counted, at most, since that looks at all of them; and not at all where nobody asks. */
const COUNT_EVERY_MS = 5 * 60_000;

const DAY_MS = 24 * 60 * 60_000;
const SOON = [
  ["1d", DAY_MS],
  ["7d", 7 * DAY_MS],
] as const;

/**
 * Adds the numbers. A scrape waits for nothing: what it asks to be counted, the next one shows.
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
      // What cannot be counted now is at the next scrape.
      countedAt = -Infinity;
    }
  }

  gauges(
    "tessera_tokens_expiring",
    "Tokens that no login made and that end within a day, or within a week, as of some minutes ago",
    ["within"],
    () => expiring.map((tokens, index) => [{ within: SOON[index]?.[0] ?? "" }, tokens] as const),
  );
  gauges(
    "tessera_tokens",
    "Tokens by time since their last use, or since they were made where they were never used, as of some minutes ago",
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

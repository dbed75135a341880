import { ConfigError, type GivenOption, quote } from "./given.ts";
import type { Rates } from "../limits/rate-limits.ts";
import type { OptionKind } from "./values.ts";

const WANTED = "use two whole numbers separated by a comma, such as 6000,600; 0 disables a limit, maximum 1000000";
const MOST_PER_MINUTE = 1_000_000;

/** How often a minute something may be read, and written. */
export const rates: OptionKind<Rates> & { value: string } = {
  type: "text",
  value: "READS,WRITES",
  parse({ text, origin }: GivenOption) {
    const [reads = -1, writes = -1] = (/^(\d{1,7}),(\d{1,7})$/.exec(text) ?? []).slice(1).map(Number);
    if (reads < 0 || reads > MOST_PER_MINUTE || writes > MOST_PER_MINUTE) {
      throw new ConfigError(`${origin} is ${quote(text)}; ${WANTED}`);
    }
    return { reads, writes };
  },
};

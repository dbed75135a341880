import { AppError } from "../../errors.ts";
import { goQuote } from "../../go/quote.ts";
import type { Query } from "../query.ts";
import type { RouteRecord } from "../route-table.ts";
import type { Edition } from "./scope.ts";

/**
 * Parameters that clients send to any route, whether they mean something there or not: where to work, as whom, and
 * how a read is to be answered.
 */
const EVERYWHERE: ReadonlySet<string> = new Set(
  (
    "dc datacenter ns namespace partition ap peer sg sameness-group token pretty filter index wait hash stale consistent leader cached " +
    "max_age stale_if_error max_stale near node-meta local-only merge-central-config relay-factor connect global"
  ).split(" "),
);

/** What is repeated of a name that nobody knows. */
const SHOWN_LENGTH = 100;

/**
 * Refuses what the route does not know: a filter that is misspelt would list everything, and a misspelt `cas` would
 * write whatever is there.
 *
 * @throws AppError `bad_parameter`
 */
export function checkParameters(query: Query, { parameters }: RouteRecord, edition: Edition): void {
  for (const name in query) {
    if (EVERYWHERE.has(name) || parameters.has(name)) continue;
    // What the edition does not have is refused later, in words of its own.
    if (edition === "community" && name === "authmethod-ns") continue;
    const own = parameters.size === 0 ? "" : `; this route knows ${[...parameters].join(", ")}`;
    throw new AppError("bad_parameter", `Unknown query parameter ${goQuote(name.slice(0, SHOWN_LENGTH))}${own}`);
  }
}

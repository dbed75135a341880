import { AppError } from "../../errors.ts";
import { goQuote, hasUnprintable } from "../../go/quote.ts";
import type { QueryParameters } from "../query.ts";
import { pathOf, type RouteRecord } from "../route-table.ts";
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

/** Number of characters of an unknown parameter name that the message repeats. */
const SHOWN_LENGTH = 100;

/**
 * Refuses what the route does not know: a filter that is misspelt would list everything, and a misspelt `cas` would
 * write whatever is there.
 *
 * @throws AppError `bad_parameter`
 */
export function checkParameters(query: QueryParameters, { parameters }: RouteRecord, edition: Edition): void {
  // Without the filter the answer would be more than was asked for.
  if (query["filter"] && !parameters.has("filter")) {
    const text = `Filter expressions are not supported; this route supports ${[...parameters].join(", ") || "no parameters"}`;
    throw new AppError("bad_parameter", text);
  }
  for (const name in query) {
    if (EVERYWHERE.has(name) || parameters.has(name)) continue;
    // Parameters that the edition does not have are rejected later, with their own message.
    if (edition === "community" && name === "authmethod-ns") continue;
    const own = parameters.size === 0 ? "" : `; this route supports ${[...parameters].join(", ")}`;
    throw new AppError("bad_parameter", `Unknown query parameter ${goQuote(name.slice(0, SHOWN_LENGTH))}${own}`);
  }
}

/**
 * The ModifyIndex that `?cas=` names: the write counts only when the object still has it.
 *
 * @returns undefined when the parameter is absent
 * @throws AppError `bad_parameter` when it is no unsigned 64-bit number
 */
export function readCas(query: QueryParameters): number | undefined {
  const text = query["cas"];
  if (text === undefined) return undefined;
  const index = parseIndex(text);
  if (index === undefined) throw new AppError("bad_parameter", "Invalid cas value");
  return index;
}

const MAX_INDEX = 2n ** 64n - 1n;

/**
 * An index in decimal; undefined when it is none. Past 2^53, where no index of
 * ours is, it is as near as a double comes.
 */
export function parseIndex(text: string): number | undefined {
  if (text.length > 64 || !/^\d+$/.test(text)) return undefined;
  return text.length > 19 && BigInt(text) > MAX_INDEX ? undefined : Number(text);
}

/** Returns whether the path of a URL holds characters that cannot be printed, such as a NUL or a line break. */
export function isUnprintable(url: string): boolean {
  // Characters outside ASCII arrive escaped, or are read as the Latin-1 letters of their bytes.
  if (!url.includes("%")) return false;
  try {
    return hasUnprintable(decodeURIComponent(pathOf(url)));
  } catch {
    // The router has refused broken escapes already.
    return true;
  }
}

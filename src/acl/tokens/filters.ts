/** Filters of token lists and of bulk revocation, in the spelling of requests. */
import { AppError } from "../../errors.ts";
import { parseLongDuration } from "../../go/duration.ts";
import { parseTime } from "../../go/time.ts";
import type { TokenFilter } from "./store.ts";

const NS_PER_MS = 1_000_000n;
/** The last millisecond that is written with four digits in its year. */
const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The time since which a token is not to have been used, as ISO 8601.
 *
 * @param text such as `90d` or `36h`; empty for any
 * @param now milliseconds since the epoch
 * @throws AppError `bad_parameter`
 */
export function unusedSince(text: string, now: number): string {
  if (text === "") return "";
  const duration = parseLongDuration(text);
  if (duration <= 0n)
    throw new AppError("bad_parameter", "Invalid duration without use: expected more than 0, for example 30d");
  return new Date(Math.max(now - Number(duration / NS_PER_MS), 0)).toISOString();
}

/**
 * The time before which a token is to end, in milliseconds since the epoch; undefined for any.
 *
 * @param text a time of RFC 3339, or a duration from now on
 * @param now milliseconds since the epoch
 * @throws AppError `bad_parameter`
 */
export function expiresBefore(text: string, now: number): number | undefined {
  if (text === "") return undefined;
  const nanoseconds = /^\d{4}-/.test(text)
    ? parseTime(text)
    : BigInt(Math.floor(now)) * NS_PER_MS + parseLongDuration(text);
  return Math.min(Math.max(Number(nanoseconds / NS_PER_MS), 0), MAX_TIME);
}

/** Whether only tokens without an end are meant. @throws AppError `bad_parameter` */
function isEndless(text: string): boolean {
  if (text !== "" && text !== "never")
    throw new AppError("bad_parameter", 'Invalid parameter "expires": expected "never"');
  return text === "never";
}

/** Whether tokens were used at any time; undefined for all. @throws AppError `bad_parameter` */
function isUsed(text: string): boolean | undefined {
  if (text === "") return undefined;
  if (text === "ever" || text === "never") return text === "ever";
  throw new AppError("bad_parameter", 'Invalid parameter "used": expected "ever" or "never"');
}

/** Reads the filter of a token list from the parameters of its URL. @throws AppError `bad_parameter` */
export function tokenFilter(query: Readonly<Record<string, string | undefined>>, now: number): TokenFilter {
  const { policy = "", role = "", servicename = "", authmethod = "" } = query;
  return {
    policy,
    role,
    serviceName: servicename,
    authMethod: authmethod,
    authMethodNamespace: query["authmethod-ns"] ?? "",
    description: "",
    unusedSince: unusedSince(query["unused-for"] ?? "", now),
    expiresBefore: expiresBefore(query["expires-before"] ?? "", now),
    expiresFrom: expiresBefore(query["expires-after"] ?? "", now),
    usedSince: unusedSince(query["used-within"] ?? "", now),
    isUsed: isUsed(query["used"] ?? ""),
    isEndless: isEndless(query["expires"] ?? ""),
  };
}

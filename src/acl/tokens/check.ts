import { invalid } from "../../errors.ts";
import { formatDuration } from "../../go/duration.ts";
import { isUuid, RESERVED_PREFIX } from "../../rights/uuid.ts";

/** When a token ends, in the two forms that are stored. */
export interface Expiration {
  /** RFC 3339 in UTC; empty for never. */
  expirationTime: string;
  expiresAt: number | undefined;
}

/** A point in time as a request gives it: exact, and in milliseconds since the epoch. */
export interface GivenTime {
  text: string;
  milliseconds: number;
}

export const NEVER: Expiration = { expirationTime: "", expiresAt: undefined };

/** Values of a token that no login made. */
export const BY_NO_METHOD = { authMethod: "", authMethodNamespace: "", methodId: "", loginIdentity: "" };

const NS_PER_MS = 1_000_000n;
/** Minimum TTL of a token that expires, in nanoseconds. */
export const MIN_TTL = 60_000_000_000n;
/** The longest duration that clients can express. */
export const MAX_TTL = 9_223_372_036_854_775_807n;

/**
 * When a new token ends.
 *
 * @param ttl nanoseconds
 * @param now milliseconds since the epoch, its time of creation
 * @throws AppError `invalid`
 */
export function checkExpiration(ttl: bigint | undefined, time: GivenTime | undefined, now: number): Expiration {
  if (ttl !== undefined && ttl < 0n) throw invalid(`Token Expiration TTL '${formatDuration(ttl)}' should be > 0`);
  const hasTtl = ttl !== undefined && ttl !== 0n;
  if (hasTtl && time !== undefined) throw invalid("Token Expiration TTL and Expiration Time cannot both be set");
  if (hasTtl) {
    checkTtl(ttl);
    return expirationAt(new Date(Math.min(now + Number(ttl / NS_PER_MS), MAX_DATE)));
  }
  if (time === undefined) return NEVER;
  if (time.milliseconds < now) throw invalid("ExpirationTime cannot be before CreateTime");
  checkTtl(BigInt(Math.trunc(time.milliseconds - now)) * NS_PER_MS);
  return { expirationTime: time.text, expiresAt: time.milliseconds };
}

/** Beyond it dates have more than four digits in their year, which RFC 3339 cannot write. */
const MAX_DATE = Date.UTC(9999, 11, 31);

/** The same check for an expiration that is copied from another token. */
export function checkCopied({ expiresAt }: Expiration, now: number): void {
  if (expiresAt !== undefined) checkTtl(BigInt(Math.trunc(expiresAt - now)) * NS_PER_MS);
}

function checkTtl(ttl: bigint): void {
  const was = `in the future (was ${formatDuration(ttl)})`;
  if (ttl < MIN_TTL) throw invalid(`ExpirationTime cannot be less than ${formatDuration(MIN_TTL)} ${was}`);
  if (ttl > MAX_TTL) throw invalid(`ExpirationTime cannot be more than ${formatDuration(MAX_TTL)} ${was}`);
}

function expirationAt(date: Date): Expiration {
  return { expirationTime: date.toISOString(), expiresAt: date.getTime() };
}

/**
 * An ID that a request chooses for a new token, in stored spelling.
 *
 * @throws AppError `invalid`
 */
export function checkGivenId(id: string, field: "AccessorID" | "SecretID"): string {
  if (!isUuid(id)) throw invalid(`Invalid Token: ${field} - not a valid UUID`);
  if (id.startsWith(RESERVED_PREFIX)) {
    throw invalid(`Invalid Token: ${field} - UUIDs with the prefix "${RESERVED_PREFIX}" are reserved`);
  }
  return field === "AccessorID" ? id.toLowerCase() : id;
}

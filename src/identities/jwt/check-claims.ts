/** Checks on the claims of a proven token before it is accepted as an identity. */
import { JsonNumber } from "../../go/json-reader.ts";
import { isList, type Claims } from "../claims.ts";
import { IdentityError } from "../errors.ts";
import type { SingleUse } from "../validator.ts";

/** Seconds. */
interface Leeways {
  /** A token without `exp` ends so long after it began. */
  expiration: number;
  /** A token without `nbf` and `iat` began so long before it ends. */
  notBefore: number;
  /** How far the clocks of issuer and server may be apart. */
  skew: number;
}

export interface ClaimRules {
  /** Empty when any issuer will do. */
  boundIssuer: string;
  boundAudiences: ReadonlySet<string>;
  leeways: Leeways;
}

/** Clock skew that OpenID tokens are allowed at their beginning, in seconds; they have none at their end. */
const OPENID_NOT_BEFORE_LEEWAY = 300;

/** Integers up to here are exact. */
const MAX_SECONDS = Number.MAX_SAFE_INTEGER;

/**
 * Checks the claims of a token whose key was configured, or comes from a configured key set.
 *
 * @param now seconds since the epoch
 * @returns until when they are accepted, in seconds since the epoch
 * @throws IdentityError
 */
export function checkClaims(claims: Claims, { boundIssuer, boundAudiences, leeways }: ClaimRules, now: number): number {
  const { begin, end, issued } = lifetimeOf(claims, leeways);
  if (boundIssuer !== "" && claims.get("iss") !== boundIssuer) throw invalid("invalid issuer claim (iss)");
  if (now + leeways.skew < begin) throw invalid("token not valid yet (nbf)");
  if (now - leeways.skew > end) throw invalid("token is expired (exp)");
  if (issued !== undefined && now + leeways.skew < issued) throw invalid("token issued in the future (iat)");
  const audiences = audiencesOf(claims);
  if (audiences !== undefined && boundAudiences.size === 0) {
    throw new IdentityError("error validating claims: audience claim found in JWT but no audiences are bound");
  }
  checkAudiences(audiences, boundAudiences);
  return end + leeways.skew;
}

/**
 * Checks the claims of a token of a discovered provider. The configured leeways are not for these.
 *
 * @param issuer the provider's
 * @param now seconds since the epoch
 * @returns until when they are accepted, in seconds since the epoch
 * @throws IdentityError
 */
export function checkOpenIdClaims(
  claims: Claims,
  issuer: string,
  boundAudiences: ReadonlySet<string>,
  now: number,
): number {
  const refuse = (message: string): never => {
    throw new IdentityError(`error validating signature: ${message}`);
  };
  if (claims.get("iss") !== issuer) refuse("the token was issued by a different issuer");
  const end = timeOf(claims, "exp") ?? refuse("the token has no expiration time");
  if (now > end) refuse("the token is expired");
  const begin = timeOf(claims, "nbf");
  if (begin !== undefined && now + OPENID_NOT_BEFORE_LEEWAY < begin) refuse("the token is not valid yet");
  checkAudiences(audiencesOf(claims), boundAudiences);
  return end;
}

function lifetimeOf(claims: Claims, leeways: Leeways): { begin: number; end: number; issued: number | undefined } {
  const [issued, begin, end] = [timeOf(claims, "iat"), timeOf(claims, "nbf"), timeOf(claims, "exp")];
  if (issued === undefined && begin === undefined && end === undefined) {
    throw new IdentityError("no issue time, notbefore, or expiration time encoded in token");
  }
  const start = Math.max(issued ?? 0, begin ?? 0);
  const finish = end ?? start + leeways.expiration;
  return { begin: begin ?? issued ?? finish - leeways.notBefore, end: finish, issued };
}

/** A time claim in seconds; undefined when there is none. A value that is not an exact number is not a time. */
function timeOf(claims: Claims, name: string): number | undefined {
  const claim = claims.get(name) ?? undefined;
  if (claim === undefined) return undefined;
  const seconds = claim instanceof JsonNumber ? Number(claim.text) : Number.NaN;
  if (Math.abs(seconds) <= MAX_SECONDS) return seconds;
  throw new IdentityError(`error validating claims: the ${name} claim is not a time in seconds`);
}

/** A text is a list of itself. Anything else must not pass for an absent audience, which nothing is checked against. */
function audiencesOf(claims: Claims): readonly string[] | undefined {
  const claim = claims.get("aud") ?? undefined;
  if (claim === undefined) return undefined;
  const audiences = isList(claim) ? claim : [claim];
  if (audiences.every((audience) => typeof audience === "string")) return audiences;
  throw new IdentityError("error validating claims: the aud claim is neither a string nor a list of strings");
}

function checkAudiences(audiences: readonly string[] | undefined, bound: ReadonlySet<string>): void {
  if (bound.size === 0 || audiences?.some((audience) => bound.has(audience)) === true) return;
  throw new IdentityError("error validating claims: aud claim does not match any bound audience");
}

function invalid(what: string): IdentityError {
  return new IdentityError(`error validating claims: go-jose/go-jose/jwt: validation failed, ${what}`);
}

/** Each one is remembered until it ends, so it must end: seconds from now. */
const MAX_LIFETIME = 24 * 60 * 60;

/**
 * Extra time, in seconds, that a used token is remembered: clocks of servers and of the database differ, and a clock may be set back
 * by a day before it is in doubt. A token that has ended must not log in again by such a clock.
 */
const MARGIN = 24 * 60 * 60 + 10 * 60;

/**
 * Returns the entry that remembers a proven token after its use.
 *
 * @param end when it ends, in seconds since the epoch
 * @param now seconds since the epoch
 * @throws IdentityError when nothing tells it from others, or it lives too long to be remembered
 */
export function singleUse(claims: Claims, end: number, now: number): SingleUse {
  const id = claims.get("jti");
  if (typeof id !== "string" || id === "") {
    throw new IdentityError('the token has no jti, which JWTReplay "once" requires');
  }
  if (end > now + MAX_LIFETIME) {
    throw new IdentityError(
      `the token is valid for more than ${MAX_LIFETIME / 3600} h. JWTReplay "once" does not allow this`,
    );
  }
  const issuer = claims.get("iss");
  return { id: JSON.stringify([typeof issuer === "string" ? issuer : "", id]), until: Math.ceil(end + MARGIN) * 1000 };
}

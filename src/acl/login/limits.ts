/**
 * Limits how often clients and identities may log in, and fail to. Each process counts for itself; active tokens are
 * counted in the database.
 */
import { AppError } from "../../errors.ts";
import { createKeyedLimit, type KeyedLimit } from "../../limits/keyed-limit.ts";
import { createLanes, type Lanes } from "../../limits/lane.ts";
import { clientKey } from "../../limits/network.ts";
import { hash } from "node:crypto";

/** Configurable limits; 0: no limit. */
export interface LoginLimitsConfig {
  /** Maximum number of denied logins a minute of one method, address and claimed subject. */
  loginFailureLimit?: number;
  /** Maximum number of logins a minute of one identity. */
  loginLimitPerIdentity?: number;
  /** Maximum number of logins a minute with one method. */
  loginLimitPerMethod?: number;
  /** Maximum number of active login tokens of one identity. */
  loginTokensPerIdentity?: number;
}

/** As the options are by default. */
export const LOGIN_LIMITS: Required<LoginLimitsConfig> = {
  loginFailureLimit: 100,
  loginLimitPerIdentity: 1000,
  loginLimitPerMethod: 20_000,
  loginTokensPerIdentity: 1000,
};

/** Sign-ins to the console a minute by one token: people make them, and each is a write. */
const SIGN_INS = 100;

/**
 * Limits of verifications for a client that fails all the time: whatever it claims, its requests use only these slots
 * of the work that verification needs, such as requests to a provider.
 */
const SUSPECT = { pool: "suspects", running: 4, waiting: 256, milliseconds: 10_000 } as const;

export interface LoginLimits {
  /**
   * Verifies a login. A client that has failed too often waits for its turn, whatever identity it claims, and is still
   * verified.
   */
  verify<T>(methodId: string, address: string, work: () => Promise<T>): Promise<T>;
  /**
   * Counts a failure.
   *
   * @param subject whom the credential claims to be
   * @throws AppError `rate_limited` when there were too many of them
   */
  failed(methodId: string, address: string, subject: string): void;
  /**
   * Counts a login of a proven identity.
   *
   * @throws AppError `rate_limited` when there were too many of them
   */
  proven(methodId: string, identity: string): void;
  /**
   * Counts a sign-in to the console by a token. There are no more of them than of logins by an identity.
   *
   * @throws AppError `rate_limited` when there were too many of them
   */
  signedIn(accessorId: string): void;
  /** Maximum number of active login tokens of one identity; 0: no limit. */
  readonly tokensPerIdentity: number;
  /** Returns the number of entries that are kept now, by kind. */
  entries(): { failures: number; logins: number };
}

/** @param now milliseconds of a clock that never goes back */
export function createLoginLimits(config: LoginLimitsConfig, now: () => number): LoginLimits {
  const limits = { ...LOGIN_LIMITS, ...config };
  const failures = createKeyedLimit({ perMinute: limits.loginFailureLimit, now });
  const clients = createKeyedLimit({ perMinute: limits.loginFailureLimit, now });
  const identities = createKeyedLimit({ perMinute: limits.loginLimitPerIdentity, now });
  const signIns = createKeyedLimit({ perMinute: Math.min(limits.loginLimitPerIdentity, SIGN_INS), now });
  const methods = createKeyedLimit({ perMinute: limits.loginLimitPerMethod, now });
  const suspects: Lanes = createLanes(SUSPECT, { full: tooManyAtOnce, late: tooManyAtOnce });
  return {
    async verify(methodId, address, work) {
      const client = clientKey(methodId, address);
      return clients.check(client) === undefined ? work() : suspects.run(client, work);
    },
    failed(methodId, address, subject) {
      const client = clientKey(methodId, address);
      clients.take(client);
      const key = failureKey(client, subject);
      const wait = failures.check(key);
      failures.take(key);
      if (wait !== undefined) throw tooMany("Too many denied logins with this auth method from this address", wait);
    },
    proven(methodId, identity) {
      take(identities, identity, "Too many logins of this identity");
      take(methods, methodId, "Too many logins with this auth method");
    },
    signedIn: (accessorId) => take(signIns, accessorId, "Too many sign-ins by this token"),
    tokensPerIdentity: limits.loginTokensPerIdentity,
    entries: () => ({
      failures: failures.entries() + clients.entries(),
      logins: identities.entries() + signIns.entries() + methods.entries(),
    }),
  };
}

function take(limit: KeyedLimit, key: string, text: string): void {
  const wait = limit.check(key);
  if (wait !== undefined) throw tooMany(text, wait);
  limit.take(key);
}

function tooMany(text: string, retryAfterSeconds: number): AppError {
  return new AppError("rate_limited", `${text}; retry in ${retryAfterSeconds} s`, { retryAfterSeconds });
}

/** Error for one client; other clients' logins are verified at that time. */
function tooManyAtOnce(): AppError {
  return tooMany("Too many pending logins from this address, after many denied logins", 1);
}

/** Key by which failures are counted: a client, and the subject that it claims. @param subject of any length */
export function failureKey(client: string, subject: string): string {
  return `${client} ${hash("sha256", subject, "base64url").slice(0, 22)}`;
}

/** Key by which logins of an identity are counted, in the database too: it never changes. */
export function identityKey(methodId: string, subject: string): string {
  return hash("sha256", `${methodId}\n${subject}`, "base64url").slice(0, 22);
}

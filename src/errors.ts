import type { Refused } from "./refused.ts";

/**
 * The one error type of the program and the closed list of its codes.
 *
 * A code says what went wrong in the words of the domain; each API family has
 * one table that turns it into a status and a body (`http/jsonapi/errors.ts`
 * for `/api/v2`). `docs/errors.md` lists the same codes, and a test compares both.
 */
export const ERROR_CODES = [
  "invalid",
  "bad_parameter",
  "unauthenticated",
  "forbidden",
  "not_found",
  "already_exists",
  "conflict",
  "precondition_failed",
  "gone",
  "not_recorded",
  "limit_reached",
  "too_large",
  "rate_limited",
  "unavailable",
  "outcome_unknown",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface AppErrorOptions {
  cause?: unknown;
  /** JSON pointer to the member of the request body that is wrong, such as `/data/attributes/name`. */
  pointer?: string;
  /** Time after which a retry makes sense, in seconds. */
  retryAfterSeconds?: number;
  /** How much of it there may be, where that is a number and all of it is taken. */
  limit?: number;
  /** Further errors of the request, where they are known at the same time. */
  others?: readonly string[];
  /** Denied action, for the audit records. */
  refused?: Refused | undefined;
}

/** Failure that the caller sees: clients get `message`, which never contains a secret. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly pointer: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: number | undefined;
  readonly others: readonly string[];
  /** No answer shows it. */
  refused: Refused | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.pointer = options.pointer;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
    this.others = options.others ?? [];
    this.refused = options.refused;
  }
}

/**
 * The name of a policy or role is taken. Published clients take that from status 500 and Consul's words and from nothing else,
 * so `/v1` answers it so to whoever calls in Consul's spelling.
 */
export class TakenName extends AppError {
  constructor(message: string) {
    super("already_exists", message);
  }
}

/** Storage is away or has too much to do. Where nothing was committed before, nothing has happened. */
export class StorageAway extends AppError {
  constructor(message: string, options: AppErrorOptions = {}) {
    super("unavailable", message, options);
  }
}

/** Storage refused a statement for a reason that the program does not know: a fault of ours, or of an engine that cannot do it. */
export class StorageRefused extends AppError {
  /** SQLSTATE of the refusal. */
  readonly sqlState: string;
  /** Text of the statement, with placeholders for values. For the log alone. */
  readonly statement: string;

  constructor(sqlState: string, statement: string, cause: unknown, message = "Storage refused the request") {
    super("unavailable", message, { cause });
    this.sqlState = sqlState;
    this.statement = statement;
  }
}

/**
 * The answer to a missing thing and to one that the caller may not see or act on.
 * Both get the very same text, so that a refusal tells nothing about existence.
 *
 * @param what the thing as the sentence names it, such as `organization`
 * @param refused the question that was answered with no; undefined where the thing is missing
 */
export function notFound(what: string, refused?: Refused): AppError {
  const noun = what.charAt(0).toUpperCase() + what.slice(1);
  return new AppError("not_found", `${noun} not found, or you are not authorized to perform this action`, { refused });
}

/** A member of the request body that breaks a rule: 422 on `/api/v2`, 400 on `/v1`. */
export function invalid(message: string, pointer?: string): AppError {
  return new AppError("invalid", message, pointer === undefined ? {} : { pointer });
}

/** The name that the request gives is another's: names are unique where they are looked up. */
export function nameTaken(): AppError {
  return new AppError("already_exists", "Name has already been taken", { pointer: "/data/attributes/name" });
}

/** Whether a failure is that of a disabled token. */
export function isOfDisabledToken(error: unknown): boolean {
  return error instanceof AppError && error.refused?.kind === "disabled-token";
}

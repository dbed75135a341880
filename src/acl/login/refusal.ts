/** What refuses a login, and the words that the client is told. */
import { AppError } from "../../errors.ts";
import { IdentityError, ProviderError } from "../../identities/errors.ts";
import { RedirectUriError } from "../../identities/oidc/oidc-validator.ts";
import { LoginRefused } from "../bindings/login-refused.ts";

/** What is said when no rule gives anything; it gives away nothing of the rules. */
export const NOTHING_BOUND = "Permission denied: the identity was verified, but no binding rule gives it anything";

/** No rule gives the identity anything that there is. */
export class NothingBound extends Error {}

/** What the client is told of a failure; undefined when it is none of a login. */
export function refusalOf(error: unknown, { requestId }: { requestId: string }): AppError | undefined {
  const isRefused = [IdentityError, RedirectUriError, LoginRefused].some((kind) => error instanceof kind);
  if (error instanceof Error && isRefused) return new AppError("forbidden", error.message);
  // More than a token may have, or what none may have where it lies.
  if (error instanceof AppError && error.code === "invalid") return error;
  if (error instanceof ProviderError) return new AppError("unavailable", error.message);
  if (!(error instanceof NothingBound)) return undefined;
  return new AppError("forbidden", `${NOTHING_BOUND}; the log of the server says why (request ${requestId})`);
}

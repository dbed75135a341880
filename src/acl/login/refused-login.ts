/** A refused login as the records tell of it; see `audit/refusals/`. */
import { namedSubject } from "../../identities/jwt/subject.ts";
import type { RefusedLogin } from "../../refused.ts";
import type { AuthMethod } from "../auth-methods/store.ts";
import { LoginRefused } from "../bindings/binding.ts";
import type { Scope } from "../../rights/scope.ts";
import { NOTHING_BOUND, NothingBound } from "./decide.ts";

/** Limits the names that clients claim: records must not store arbitrary texts. */
const LONGEST_SUBJECT = 256;
const LONGEST_REASON = 512;

/** Whom a credential proves or claims, as records show it. */
export function shownSubject(subject: string): string {
  return namedSubject(subject).slice(0, LONGEST_SUBJECT).toWellFormed();
}

/**
 * @param subject whom the credential claims to be; never the credential
 * @param error why there was no token
 */
export function refusedLogin(
  { name, scope }: Pick<AuthMethod, "name" | "scope">,
  subject: string,
  error: Error,
): RefusedLogin {
  // The message for the client contains the ID of its request: the record uses the message of the error.
  const reason = error instanceof NothingBound ? NOTHING_BOUND : error.message;
  return {
    kind: "login",
    scope,
    authMethod: name,
    subject: shownSubject(subject),
    reason: reason.slice(0, LONGEST_REASON).toWellFormed(),
    bindingRule: error instanceof LoginRefused ? error.bindingRuleId : undefined,
  };
}

/**
 * Returns the record of a denial by a method that does not exist. It omits the name, which may be any text, also one
 * that a user mistook for a name.
 */
export function refusedMethod(scope: Scope): RefusedLogin {
  const reason = "auth method not found";
  return { kind: "login", scope, authMethod: "", subject: "", reason, bindingRule: undefined };
}

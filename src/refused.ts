/** Denials of requests, as the audit records of denials contain them; see `audit/refusals/`. No answer shows them. */
import type { RightsQuestion } from "./rights/rules/question.ts";
import type { Scope } from "./rights/scope.ts";

export type Refused = RefusedQuestion | RefusedLogin | RefusedRequest | UnknownToken | DisabledToken;

/** Check of a permission that was denied. */
export interface RefusedQuestion extends RightsQuestion {
  kind: "rights";
}

/** Login that got no token. */
export interface RefusedLogin {
  kind: "login";
  /** Scope of its auth method, or the scope that was searched for it. */
  scope: Scope;
  /** Name of the method; empty when no method has the given name, which may be any text. */
  authMethod: string;
  /** Subject that the credential claims, or has proven; never the credential. */
  subject: string;
  reason: string;
  /** Binding rule that denied the login; undefined where none did. */
  bindingRule: string | undefined;
}

/** Request that no permission would have allowed: existing objects, or the kind of the token, rule it out. */
export interface RefusedRequest {
  kind: "request";
  name: "bootstrap" | "logout" | "old-secret" | "reserved-secret" | "reveal" | "view";
  scope: Scope;
  reason: string;
}

/** Request with an unknown token, or without a token. */
export interface UnknownToken {
  kind: "unknown-token";
  /** Whether a token was presented. */
  wasGiven: boolean;
}

/** Request with a token that is disabled. */
export interface DisabledToken {
  kind: "disabled-token";
  accessorId: string;
  /** Scope of the token. */
  scope: Scope;
}

export const UNKNOWN_TOKEN: UnknownToken = { kind: "unknown-token", wasGiven: true };
export const NO_TOKEN: UnknownToken = { kind: "unknown-token", wasGiven: false };

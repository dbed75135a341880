/** What a request was refused, in the words of the records of refusals; see `audit/refusals/`. No answer shows it. */
import type { Access, Resource } from "./acl/rules/rule.ts";
import type { Scope } from "./acl/scope.ts";

export type Refused = RefusedQuestion | RefusedLogin | RefusedRequest | UnknownToken;

/** A question about rights that was answered with no. */
export interface RefusedQuestion {
  kind: "rights";
  resource: Resource;
  segment: string;
  access: Access;
  scope: Scope;
}

/** An identity that was given no token. */
export interface RefusedLogin {
  kind: "login";
  /** Where its auth method lies, or was sought. */
  scope: Scope;
  /** The method's name; empty when there is none of the name that was given: that may be anything. */
  authMethod: string;
  /** Whom the credential claims, or has proven, to be; never the credential. */
  subject: string;
  reason: string;
  /** The binding rule that refused; undefined where none did. */
  bindingRule: string | undefined;
}

/** What no rights would have allowed: what there is already, or what the token is, speaks against it. */
export interface RefusedRequest {
  kind: "request";
  name: "bootstrap" | "logout" | "old-secret" | "reserved-secret" | "reveal";
  scope: Scope;
  reason: string;
}

/** Nobody has the token that was presented. */
export interface UnknownToken {
  kind: "unknown-token";
  /** Whether there was one at all. */
  wasGiven: boolean;
}

export const UNKNOWN_TOKEN: UnknownToken = { kind: "unknown-token", wasGiven: true };
export const NO_TOKEN: UnknownToken = { kind: "unknown-token", wasGiven: false };

import { decodeProtectedHeader } from "jose";
import { isList, parseClaims, type Claim } from "../claims.ts";
import { IdentityError } from "../errors.ts";

/** Claims of a token about itself, which are not proven. */
export interface ServiceAccountToken {
  /** Absent in tokens that are no service account's. */
  readonly subject: string | undefined;
  /** Empty in tokens that are good for every audience, as those kept in secrets are. */
  readonly audiences: readonly string[];
}

const COMPACT = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/**
 * Reads a JWT without checking its signature, which only the API server can.
 *
 * @throws IdentityError when it has not the form of a signed JWT; quotes nothing of it
 */
export function parseServiceAccountToken(jwt: string): ServiceAccountToken {
  const payload = COMPACT.exec(jwt)?.[1];
  if (payload === undefined) throw new IdentityError("it does not consist of three parts in base64url");
  checkHeader(jwt);
  const claims = parseClaims(Buffer.from(payload, "base64url"));
  const subject = claims.get("sub");
  if (subject !== undefined && typeof subject !== "string") throw new IdentityError("its claim sub is not a string");
  return { subject, audiences: audiencesOf(claims.get("aud")) };
}

function checkHeader(jwt: string): void {
  try {
    decodeProtectedHeader(jwt);
  } catch {
    throw new IdentityError("its header is not a JSON object");
  }
}

function audiencesOf(claim: Claim = []): readonly string[] {
  const audiences = isList(claim) ? claim : [claim];
  if (!audiences.every(isText)) throw new IdentityError("its claim aud is neither a string nor a list of strings");
  return audiences;
}

function isText(claim: Claim): claim is string {
  return typeof claim === "string";
}

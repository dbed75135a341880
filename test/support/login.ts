/** Auth methods, binding rules and logins for tests: JWTs signed by a key of the test's own. */
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import { signToken, type SigningKey } from "./key-server.ts";
import type { V1 } from "./v1.ts";

/** Configuration of a server that takes any number of logins, and makes tokens without end. */
export const UNLIMITED_LOGINS = {
  loginFailureLimit: 0,
  loginLimitPerIdentity: 0,
  loginLimitPerMethod: 0,
  loginTokensPerIdentity: 0,
  defaultLoginTtl: 0n,
};

/** A JWT that is good for an hour, with these claims. */
export function bearer(key: SigningKey, claims: object = {}, now = Date.now()): string {
  const seconds = Math.floor(now / 1000);
  return signToken(key, { iat: seconds, exp: seconds + 3600, ...claims });
}

/** Claims `team`, `name` and `groups` of a JWT are what selectors and templates see. */
export const MAPPINGS = {
  ClaimMappings: { team: "team", name: "name" },
  ListClaimMappings: { groups: "groups" },
};

/** Makes an auth method of type jwt with a static key; gives it as it is answered. @param query such as `?ns=team-1` */
export async function makeMethod(
  v1: V1,
  key: Pick<SigningKey, "publicKey">,
  content: { Name: string; Config?: object; [member: string]: unknown },
  query = "",
): Promise<Answer["body"]> {
  const Config = { JWTValidationPubKeys: [key.publicKey], ...MAPPINGS, ...content.Config };
  const answer = await v1.put(`/acl/auth-method${query}`, { Type: "jwt", ...content, Config });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Makes a binding rule; gives its ID. */
export async function makeRule(v1: V1, content: object, query = ""): Promise<string> {
  const answer = await v1.put(`/acl/binding-rule${query}`, { BindType: "service", BindName: "web", ...content });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body.ID);
}

/** Logs in. */
export function login(v1: V1, authMethod: string, bearerToken: string, content: object = {}): Promise<Answer> {
  return v1.post("/acl/login", { AuthMethod: authMethod, BearerToken: bearerToken, ...content }, "");
}

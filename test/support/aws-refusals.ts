/** Logins by AWS IAM that are refused: a signed request of a role, and an STS that takes it. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createAwsIamValidator } from "../../src/identities/aws-iam/validator.ts";
import { IdentityError } from "../../src/identities/errors.ts";
import type { RawConfig } from "../../src/identities/validator.ts";
import {
  askInsteadOfAws,
  encodeBearer,
  signEntityRequest,
  signIdentityRequest,
  type Signed,
} from "./aws-bearer-token.ts";
import { roleOf, startSts, type Sts } from "./sts.ts";

export const web = roleOf("web");
export const config = {
  BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:*"],
  EnableIAMEntityDetails: true,
  ServerIDHeaderValue: "tessera.example.com",
};
export const serverId = { "X-Consul-IAM-ServerID": "tessera.example.com" };
export const valid = signIdentityRequest(web, { withEntity: true, headers: serverId });
export const entity = signEntityRequest(web);
const AWS = new Set(["https://sts.amazonaws.com/", "https://iam.amazonaws.com/"]);

export let sts: Sts;
/** What the last login asked of AWS. */
export let asked: string[] = [];

/** Starts the STS for the tests of a file. */
export function useSts(): void {
  beforeAll(async () => {
    sts = await startSts([web]);
  });
  afterAll(() => sts.close());
  afterEach(() => {
    asked = [];
    sts.requests.length = 0;
  });
}

/** Why a login is refused; empty when it is not. */
export async function refusal(signed: Signed | string, changes: RawConfig = {}): Promise<string> {
  const aws = askInsteadOfAws(sts.url);
  asked = aws.asked;
  const environment = { ask: aws.ask, now: () => Date.now(), onTrouble: () => undefined };
  const bearerToken = typeof signed === "string" ? signed : encodeBearer(signed);
  try {
    await createAwsIamValidator({ ...config, ...changes }, environment).verify(bearerToken);
    return "";
  } catch (error) {
    expect(asked.filter((url) => !AWS.has(url))).toEqual([]);
    if (error instanceof IdentityError) return error.message;
    throw error;
  }
}

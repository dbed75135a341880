import { describe, expect, test } from "vitest";
import { MethodConfigError } from "../errors.ts";
import type { RawConfig } from "../validator.ts";
import { readConfig } from "./config.ts";

const ROLE = "arn:aws:iam::111122223333:role/web";

function refusal(config: RawConfig): string {
  try {
    readConfig(config);
  } catch (error) {
    if (error instanceof MethodConfigError) return error.message;
    throw error;
  }
  return "";
}

describe("the configuration", () => {
  test("needs one principal and no more", () => {
    expect(readConfig({ boundiamprincipalarns: ROLE })).toEqual({
      trusted: [ROLE],
      withDetails: false,
      tagKeys: [],
      serverId: "",
      retries: 0,
      stsEndpoint: undefined,
      iamEndpoint: undefined,
      extraHeaders: new Set(),
    });
  });

  test.each<[RawConfig, string]>([
    [{}, "BoundIAMPrincipalARNs is required and must have at least 1 entry"],
    [{ BoundIAMPrincipalARNs: [] }, "BoundIAMPrincipalARNs is required and must have at least 1 entry"],
    [{ BoundIAMPrincipalARNs: ["x"] }, 'invalid principal ARN: "x"'],
    [{ BoundIAMPrincipalARNs: [ROLE, "arn:aws:s3:::bucket"] }, 'invalid principal ARN: "arn:aws:s3:::bucket"'],
    [{ BoundIAMPrincipalARNs: ["*"], EnableIAMEntityDetails: true }, 'invalid principal ARN: "*"'],
    [
      { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:*"] },
      "must set EnableIAMEntityDetails=true to use wildcards in BoundIAMPrincipalARNs",
    ],
    [
      { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/*/web"], EnableIAMEntityDetails: true },
      "only one wildcard is allowed at the end of the bound IAM principal ARN",
    ],
    [
      { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/**"], EnableIAMEntityDetails: "true" },
      "only one wildcard is allowed at the end of the bound IAM principal ARN",
    ],
    [
      { BoundIAMPrincipalARNs: ROLE, IAMEntityTags: ["team"] },
      "must set EnableIAMEntityDetails=true to use IAMEntityTags",
    ],
    [{ BoundIAMPrincipalARNs: ROLE, STSEndpoint: "sts" }, "STSEndpoint is not an http or https URL"],
    [{ BoundIAMPrincipalARNs: ROLE, IAMEndpoint: "file:///etc/passwd" }, "IAMEndpoint is not an http or https URL"],
    [
      { BoundIAMPrincipalARNs: ROLE, STSEndpoint: "https://user@example.com/" },
      "STSEndpoint must not have a user, a query or a fragment",
    ],
    [
      { BoundIAMPrincipalARNs: ROLE, STSEndpoint: "https://example.com/?" },
      "STSEndpoint must not have a user, a query or a fragment",
    ],
    [
      { BoundIAMPrincipalARNs: ROLE, AllowedSTSHeaderValues: ["X-Fine", "Transfer-Encoding"] },
      'AllowedSTSHeaderValues contains a header that is not allowed: "transfer-encoding"',
    ],
    [
      { BoundIAMPrincipalARNs: ROLE, AllowedSTSHeaderValues: ["X: 1\r\nY"] },
      'AllowedSTSHeaderValues contains a header that is not allowed: "x: 1\\r\\ny"',
    ],
  ])("refuses %j", (config, message) => {
    expect(refusal(config)).toBe(message);
  });

  test("refuses keys that it does not know", () => {
    expect(refusal({ BoundIAMPrincipalARNs: ROLE, Region: "x" })).toContain("has invalid keys: Region");
  });

  test("has endpoints in their normal form", () => {
    const endpoints = { STSEndpoint: "HTTPS://Example.com:443", IAMEndpoint: "http://127.0.0.1:8080/iam/" };
    const config = readConfig({ BoundIAMPrincipalARNs: ROLE, ...endpoints });
    expect(config).toMatchObject({ stsEndpoint: "https://example.com/", iamEndpoint: "http://127.0.0.1:8080/iam/" });
  });

  test.each([
    [-1, 0],
    ["3", 3],
    [1000, 5],
  ])("takes %j for MaxRetries as %d", (given, wanted) => {
    expect(readConfig({ BoundIAMPrincipalARNs: ROLE, MaxRetries: given }).retries).toBe(wanted);
  });
});

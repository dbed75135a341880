import { describe, expect, test } from "vitest";
import { arnOf, isPrincipalArn, isTrusted, principalOf } from "./arn.ts";

describe("the caller that STS names", () => {
  test.each([
    ["arn:aws:sts::111122223333:assumed-role/web/i-0123", "arn:aws:iam::111122223333:role/web"],
    [
      "arn:aws:sts::111122223333:assumed-role/a+b=c,d.e@f_g-h/jane@example.com",
      "arn:aws:iam::111122223333:role/a+b=c,d.e@f_g-h",
    ],
    ["arn:aws-us-gov:sts::1:assumed-role/web/x", "arn:aws-us-gov:iam::1:role/web"],
    ["arn:aws:iam::111122223333:user/jane", "arn:aws:iam::111122223333:user/jane"],
    ["arn:aws:iam::111122223333:user/some/path/jane", "arn:aws:iam::111122223333:user/jane"],
  ])("%s is compared as %s", (arn, wanted) => {
    const principal = principalOf(arn);
    expect(principal && arnOf(principal)).toBe(wanted);
  });

  test.each([
    "",
    "arn:aws:iam::111122223333:root",
    "arn:aws:sts::111122223333:federated-user/jane",
    "arn:aws:iam::111122223333:role/web",
    "arn:aws:sts::111122223333:assumed-role/web",
    "arn:aws:sts::111122223333:assumed-role/web/",
    "arn:aws:sts::111122223333:assumed-role/some/path/web/session",
    "arn:aws:sts::111122223333:user/jane",
    "arn:aws:iam:us-east-1:111122223333:user/jane",
    "arn:aws:iam::x:user/jane",
    "arn:aws:iam::111122223333:user/jane doe",
    "arn:aws:iam::111122223333:user/jane\n",
    "arn:evil:iam::111122223333:user/jane",
    "x:arn:aws:iam::111122223333:user/jane",
  ])("%j is neither a role nor a user", (arn) => {
    expect(principalOf(arn)).toBeUndefined();
  });
});

describe("an ARN that may be trusted", () => {
  test.each([
    ["arn:aws:iam::111122223333:role/web", true],
    ["arn:aws:sts::111122223333:assumed-role/web/x", true],
    ["arn:aws:iam::111122223333:*", true],
    ["arn:aws:s3::111122223333:bucket", false],
    ["arn:aws:iam::*", false],
    ["arn:aws:iam:::role/web", false],
    ["arn:aws:iam::111122223333", false],
    ["arn:aws:iam::111122223333:", false],
    ["*", false],
    ["web", false],
    ["", false],
  ])("%j: %s", (arn, wanted) => {
    expect(isPrincipalArn(arn)).toBe(wanted);
  });

  test("with a star is the beginning of others, without one only itself", () => {
    const arn = "arn:aws:iam::111122223333:role/some/path/web";
    expect(isTrusted(arn, ["arn:aws:iam::111122223333:role/some/*"])).toBe(true);
    expect(isTrusted(arn, ["arn:aws:iam::1:*", arn])).toBe(true);
    expect(isTrusted(arn, ["arn:aws:iam::111122223333:role/some"])).toBe(false);
    expect(isTrusted(arn, ["arn:aws:iam::111122223333:role/other/*", `${arn}2`])).toBe(false);
    expect(isTrusted(arn, [])).toBe(false);
  });
});

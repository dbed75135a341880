import { describe, expect, test } from "vitest";
import { ttlOf } from "./service.ts";

const HOUR = 3_600_000_000_000n;

describe("a token whose method says nothing", () => {
  test.each([
    ["jwt", 24n * HOUR],
    ["oidc", 24n * HOUR],
    ["kubernetes", 0n],
    ["aws-iam", 0n],
  ])("lives as is usual for the type %s", (type, usual) => {
    expect(ttlOf({ type, maxTokenTtl: 0n }, undefined)).toBe(usual);
  });

  test.each(["jwt", "oidc", "kubernetes", "aws-iam"])("lives as the server says, whatever its type: %s", (type) => {
    expect(ttlOf({ type, maxTokenTtl: 0n }, HOUR)).toBe(HOUR);
    expect(ttlOf({ type, maxTokenTtl: 0n }, 0n)).toBe(0n);
    expect(ttlOf({ type, maxTokenTtl: 1n }, HOUR)).toBe(1n);
  });
});

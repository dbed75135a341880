import { describe, expect, test } from "vitest";
import { clientKey } from "../../limits/network.ts";
import { failureKey, identityKey } from "./limits.ts";

describe("a client", () => {
  const same = (one: string, other: string): boolean => clientKey("m", one) === clientKey("m", other);

  test("is an IPv4 address, however it is spelled", () => {
    expect(same("192.0.2.1", "::ffff:192.0.2.1")).toBe(true);
    expect(same("192.0.2.1", "::FFFF:C000:201")).toBe(true);
    expect(same("192.0.2.1", "192.0.2.2")).toBe(false);
  });

  test("is 64 bits of an IPv6 address", () => {
    expect(same("2001:db8:1:2::1", "2001:db8:1:2:ffff::")).toBe(true);
    expect(same("2001:DB8:1:2::1", "2001:db8:0001:0002::2%eth0")).toBe(true);
    expect(same("2001:db8:1:2::1", "2001:db8:1:3::1")).toBe(false);
    expect(same("0:ffff:c000:201::", "192.0.2.1")).toBe(false);
  });

  test("is another one at another method; those whose address is none are one", () => {
    expect(clientKey("a", "192.0.2.1")).not.toBe(clientKey("b", "192.0.2.1"));
    expect(same("unix", "other")).toBe(true);
    expect(same("unix", "192.0.2.1")).toBe(false);
  });
});

describe("what is counted by", () => {
  test("is short, however long a subject is, and another one for each", () => {
    const keys = ["a", "b", "", "x".repeat(30_000)].map((subject) => failureKey("m 1", subject));
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key.length).toBe(26);
    expect(identityKey("m", "a")).toHaveLength(22);
    expect(identityKey("m", "a")).not.toBe(identityKey("n", "a"));
  });
});

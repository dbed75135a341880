import { describe, expect, it } from "vitest";
import { reasonOf, strictTls } from "./hosts.ts";

describe("strictTls", () => {
  it.each<[url: string, strict: string]>([
    ["postgres://a/x", "postgres://a/x"],
    ["postgres://a/x?sslmode=allow", "postgres://a/x?sslmode=verify-full"],
    ["postgres://a/x?sslmode=prefer&port=1", "postgres://a/x?sslmode=verify-full&port=1"],
    ["postgres://a/x?b=1&sslmode=require", "postgres://a/x?b=1&sslmode=verify-full"],
    ["postgres://a/x?sslmode=verify-ca", "postgres://a/x?sslmode=verify-full"],
    ["postgres://a/x?sslmode=verify-full", "postgres://a/x?sslmode=verify-full"],
    ["postgres://a/x?sslmode=disable", "postgres://a/x?sslmode=disable"],
    ["postgres://a/x?sslmode=no-verify", "postgres://a/x?sslmode=no-verify"],
    ["postgres://a/x?sslmode=prefer&sslmode=require", "postgres://a/x?sslmode=verify-full&sslmode=verify-full"],
    ["postgres://a/x?sslmode=verify-ca&uselibpqcompat=true", "postgres://a/x?sslmode=verify-ca&uselibpqcompat=true"],
    [
      "postgres://a/x?sslmode=verify-ca&uselibpqcompat=false",
      "postgres://a/x?sslmode=verify-full&uselibpqcompat=false",
    ],
  ])("%s", (url, strict) => {
    expect(strictTls(url)).toBe(strict);
  });
});

it("a reason is one line", () => {
  expect(reasonOf(new Error("one\n  two \n"))).toBe("one two");
  expect(reasonOf("gone")).toBe("gone");
});

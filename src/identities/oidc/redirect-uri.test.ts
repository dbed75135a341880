import { describe, expect, it } from "vitest";
import { checkRedirectUri, RedirectUriError } from "./oidc-validator.ts";

const ALLOWED = [
  "https://ui.example.com/oidc/callback",
  "https://ui.example.com:8443/cb?tenant=a",
  "http://localhost:8550/oidc/callback",
  "http://127.0.0.1/cb",
  "https://[::1]:1/cb?x=1",
  "http://localhost",
];

describe("a redirect URI", () => {
  it.each([
    ...ALLOWED,
    "http://localhost:1/oidc/callback",
    "http://localhost/oidc/callback",
    "http://127.0.0.1:65535/cb",
    "https://[::1]/cb?x=1",
    "https://[::1]:443/cb?x=1",
    "http://localhost:8250",
  ])("%s is allowed", (uri) => {
    expect(() => checkRedirectUri(uri, ALLOWED)).not.toThrow();
  });

  it.each([
    ["another scheme", "http://ui.example.com/oidc/callback"],
    ["another scheme on loopback", "https://localhost:8550/oidc/callback"],
    ["another host", "https://ui.example.org/oidc/callback"],
    ["a host in another case", "https://UI.example.com/oidc/callback"],
    ["a port on a host that is not loopback", "https://ui.example.com:443/oidc/callback"],
    ["another port there", "https://ui.example.com:8444/cb?tenant=a"],
    ["another path", "http://localhost:8550/oidc/callback2"],
    ["a path that only resolves to it", "http://localhost:8550/oidc/x/../callback"],
    ["a slash more", "http://localhost:8550/oidc/callback/"],
    ["a query more", "http://localhost:8550/oidc/callback?x=1"],
    ["a query less", "https://[::1]:1/cb"],
    ["a fragment", "http://localhost:8550/oidc/callback#x"],
    ["another loopback host", "http://127.0.0.1:8550/oidc/callback"],
    ["another spelling of a loopback address", "http://127.1/cb"],
    ["the address in full", "https://[0:0:0:0:0:0:0:1]:1/cb?x=1"],
    ["a user", "http://me@localhost:8550/oidc/callback"],
    ["a host that begins like loopback", "http://localhost.example.com/oidc/callback"],
    ["a host behind a user like loopback", "http://localhost:8550@example.com/oidc/callback"],
    ["a host behind a backslash", String.raw`http://localhost:8550\@example.com/oidc/callback`],
    ["a port that is none", "http://localhost:x/oidc/callback"],
    ["an empty port", "http://localhost:/oidc/callback"],
    ["a port of too many digits", "http://localhost:855000/oidc/callback"],
    ["a space in front", " http://localhost:8550/oidc/callback"],
    ["a line break behind", "http://localhost:8550/oidc/callback\n"],
    ["a line break in the path", "http://localhost:8550/oidc\n/callback"],
    ["another thing altogether", "javascript:alert(1)"],
  ])("with %s is refused, and named", (_what, uri) => {
    expect(() => checkRedirectUri(uri, ALLOWED)).toThrow(new RedirectUriError(`unauthorized redirect_uri: ${uri}`));
  });

  it("of a host that only looks like loopback has the port that is allowed", () => {
    const allowed = ["http://localhost.example.com/cb", "http://localhost@example.com/cb", "http://localhost#/cb"];
    for (const uri of [
      "http://localhost:1.example.com/cb",
      "http://localhost:1@example.com/cb",
      "http://localhost:1#/cb",
    ]) {
      expect(() => checkRedirectUri(uri, allowed)).toThrow(RedirectUriError);
    }
  });

  it("that is empty is missing", () => {
    expect(() => checkRedirectUri("", [...ALLOWED, ""])).toThrow(new RedirectUriError("missing redirect_uri"));
  });

  it("of great length is not repeated in full", () => {
    const uri = `https://example.com/${"x".repeat(100_000)}`;
    expect(() => checkRedirectUri(uri, ALLOWED)).toThrow(`unauthorized redirect_uri: ${uri.slice(0, 500)}…`);
  });
});

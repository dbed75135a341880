import { describe, expect, test } from "vitest";
import { originCheck, type OwnOrigins } from "./receiving/host-check.ts";

const PLAIN: OwnOrigins = { publicUrl: undefined, allowedHosts: [], isSecure: false };

function isForeign(headers: Record<string, string>, own: Partial<OwnOrigins> = {}, method = "POST"): boolean {
  return originCheck({ ...PLAIN, ...own })(method, { host: "localhost:8500", ...headers });
}

describe("a request", () => {
  test("of no browser is nobody's page", () => {
    expect(isForeign({})).toBe(false);
    expect(originCheck(PLAIN)("POST", {})).toBe(false);
  });

  test.each(["http://localhost:8500", "http://LOCALHOST:8500"])("of a page of %s is the server's own", (origin) => {
    expect(isForeign({ origin })).toBe(false);
    expect(isForeign({ origin, "sec-fetch-site": "same-origin" })).toBe(false);
  });

  test.each([
    "http://localhost",
    "http://localhost:3000",
    "http://localhost:8500.evil.test",
    "http://localhost:8500@evil.test",
    "http://127.0.0.1:8500",
    "http://evil.test",
    "http://evil.test:8500",
    "file://localhost:8500",
    "null",
    "",
    "http://localhost:8500, http://evil.test",
    "http://localhost:8500/",
  ])("of a page of %j is foreign", (origin) => {
    expect(isForeign({ origin })).toBe(true);
    expect(isForeign({ origin, "sec-fetch-site": "same-origin" })).toBe(true);
  });

  test.each(["cross-site", "same-site", "", "same-origin, cross-site", "something"])(
    "that a browser calls %j is foreign, whatever its origin",
    (site) => {
      expect(isForeign({ "sec-fetch-site": site })).toBe(true);
      expect(isForeign({ origin: "http://localhost:8500", "sec-fetch-site": site })).toBe(true);
    },
  );

  test("that somebody typed or that its own page sent is not", () => {
    expect(isForeign({ "sec-fetch-site": "none" })).toBe(false);
    expect(isForeign({ "sec-fetch-site": "same-origin" })).toBe(false);
  });

  test.each(["GET", "HEAD", "OPTIONS"])("that changes nothing may come from anywhere: %s", (method) => {
    expect(isForeign({ origin: "http://evil.test", "sec-fetch-site": "cross-site" }, {}, method)).toBe(false);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "post"])("of the method %s may not", (method) => {
    expect(isForeign({ origin: "http://evil.test" }, {}, method)).toBe(true);
  });
});

describe("an origin without a port", () => {
  test("is that of the scheme", () => {
    expect(isForeign({ host: "tessera.test", origin: "https://tessera.test" })).toBe(false);
    expect(isForeign({ host: "tessera.test:443", origin: "https://tessera.test" })).toBe(false);
    expect(isForeign({ host: "tessera.test:80", origin: "https://tessera.test" })).toBe(true);
    expect(isForeign({ host: "[::1]:8500", origin: "http://[::1]:8500" })).toBe(false);
  });
});

describe("behind a proxy that changes the Host header", () => {
  test("the public URL is the server's own", () => {
    const own = { publicUrl: "https://tessera.test/base" };
    expect(isForeign({ origin: "https://tessera.test" }, own)).toBe(false);
    expect(isForeign({ origin: "https://tessera.test:444" }, own)).toBe(true);
    expect(isForeign({ origin: "http://localhost:8500" }, own)).toBe(false);
  });

  test("so are allowed hosts, on the usual port or that of the request", () => {
    const own = { allowedHosts: ["tessera.test"] };
    expect(isForeign({ origin: "https://tessera.test" }, own)).toBe(false);
    expect(isForeign({ origin: "http://tessera.test:8500" }, own)).toBe(false);
    expect(isForeign({ origin: "http://tessera.test:3000" }, own)).toBe(true);
  });
});

describe("a page that came without TLS", () => {
  test("is foreign to a server that speaks it", () => {
    const origin = "http://localhost:8500";
    expect(isForeign({ origin }, { isSecure: true })).toBe(true);
    expect(isForeign({ origin: "https://localhost:8500" }, { isSecure: true })).toBe(false);
    const own = { publicUrl: "https://tessera.test" };
    expect(isForeign({ host: "tessera.test", origin: "http://tessera.test" }, own)).toBe(true);
  });
});

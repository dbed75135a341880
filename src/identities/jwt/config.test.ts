import { execFileSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { MethodConfigError } from "../errors.ts";
import type { RawConfig, Reading } from "../validator.ts";
import { readJwtConfig } from "./config.ts";

const PEM = createSigningKey("k").publicKey;
const CERTIFICATE = execFileSync(
  "openssl",
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=x -keyout /dev/null".split(" "),
  { encoding: "utf8", stdio: "pipe" },
);
const ONE_SOURCE =
  "exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL' must be set for type \"jwt\"";
const NO_KEY = "data does not contain any valid RSA, ECDSA, or ED25519 public keys";
const JWKSURL = "https://keys.example/jwks";
/** Incident 4: an audience that is not set must not turn the check off. */
const NO_AUDIENCE = "'BoundAudiences' must be set with 'OIDCDiscoveryURL' for type \"jwt\"";
const OIDCDiscoveryURL = "https://issuer.example";

describe("the configuration of a jwt method", () => {
  test.each(
    (
      [
        [{}, ONE_SOURCE],
        [{ JWTValidationPubKeys: [], JWKSURL: "", OIDCDiscoveryURL: null }, ONE_SOURCE],
        [{ JWTValidationPubKeys: PEM, JWKSURL }, ONE_SOURCE],
        [{ JWKSURL, OIDCDiscoveryURL }, ONE_SOURCE],
        [
          { JWTValidationPubKeys: PEM, JWKSCACert: CERTIFICATE },
          "'JWKSCACert' should not be set unless 'JWKSURL' is set",
        ],
        [
          { JWKSURL, OIDCDiscoveryCACert: CERTIFICATE },
          "'OIDCDiscoveryCACert' should not be set unless 'OIDCDiscoveryURL' is set",
        ],
        [{ JWTValidationPubKeys: PEM, OIDCClientID: "x" }, "'OIDCClientID' must not be set for type \"jwt\""],
        [{ JWTValidationPubKeys: PEM, OIDCClientSecret: "x" }, "'OIDCClientSecret' must not be set for type \"jwt\""],
        [{ JWTValidationPubKeys: PEM, OIDCScopes: ["x"] }, "'OIDCScopes' must not be set for type \"jwt\""],
        [{ JWTValidationPubKeys: PEM, OIDCACRValues: ["x"] }, "'OIDCACRValues' must not be set for type \"jwt\""],
        [
          { JWTValidationPubKeys: PEM, AllowedRedirectURIs: ["x"] },
          "'AllowedRedirectURIs' must not be set for type \"jwt\"",
        ],
        [
          { JWTValidationPubKeys: PEM, VerboseOIDCLogging: true },
          "'VerboseOIDCLogging' must not be set for type \"jwt\"",
        ],
        [
          { JWTValidationPubKeys: PEM, OIDCLogoutURL: "https://idp.example/logout" },
          "'OIDCLogoutURL' must not be set for type \"jwt\"",
        ],
        [
          { JWTValidationPubKeys: PEM, OIDCPostLogoutRedirectURIs: ["x"] },
          "'OIDCPostLogoutRedirectURIs' must not be set for type \"jwt\"",
        ],
        [
          { JWTValidationPubKeys: PEM, OIDCClientUsePKCE: true },
          "'OIDCClientUsePKCE' must not be set for type \"jwt\"",
        ],
        [
          { JWTValidationPubKeys: PEM, OIDCClientAssertion: {} },
          "'OIDCClientAssertion' must not be set for type \"jwt\"",
        ],
        [{ JWTValidationPubKeys: PEM, JWTSupportedAlgs: ["RS256", "HS256"] }, "Invalid supported algorithm: HS256"],
        [{ JWTValidationPubKeys: PEM, JWTSupportedAlgs: "none" }, "Invalid supported algorithm: none"],
        [{ JWTValidationPubKeys: PEM, JWTSupportedAlgs: "constructor" }, "Invalid supported algorithm: constructor"],
        [
          { JWTValidationPubKeys: PEM, ClaimMappings: { a: "x", b: "x" } },
          'ClaimMappings contains multiple mappings for key "x"',
        ],
        [
          { JWTValidationPubKeys: PEM, ListClaimMappings: { a: "x", b: "x" } },
          'ListClaimMappings contains multiple mappings for key "x"',
        ],
        [{ JWTValidationPubKeys: PEM, BoundAudiences: [""] }, "'BoundAudiences' must not contain an empty audience"],
        [{ OIDCDiscoveryURL }, NO_AUDIENCE],
        [{ OIDCDiscoveryURL, BoundAudiences: [] }, NO_AUDIENCE],
        [{ JWKSURL: "keys.example" }, "error checking JWKSURL: not a valid http or https URL"],
        [{ JWKSURL: "file:///etc/passwd" }, "error checking JWKSURL: not a valid http or https URL"],
        [{ OIDCDiscoveryURL: "ftp://x" }, "error checking OIDCDiscoveryURL: not a valid http or https URL"],
        [{ JWKSURL: "https://a:b@x/" }, "error checking JWKSURL: a URL with credentials is not supported"],
        [{ JWKSURL, JWKSCACert: "x" }, "error checking JWKSCACert: it does not contain a PEM certificate"],
        [{ JWKSURL, JWKSCACert: PEM }, "error checking JWKSCACert: it contains data that is not a certificate"],
        [
          { OIDCDiscoveryURL, OIDCDiscoveryCACert: CERTIFICATE.replace(/^M..../m, "AAAAA") },
          "error checking OIDCDiscoveryCACert: it contains data that is not a certificate",
        ],
      ] as [RawConfig, string][]
    ).map(([raw, message]) => [shown(raw), raw, message] as const),
  )("%s is refused", (_shown, raw, message) => {
    expect(() => readJwtConfig(raw)).toThrow(new MethodConfigError(message));
  });

  test.each(["JWKSCACert", "OIDCDiscoveryCACert"])("with very many certificates in %s is refused", (name) => {
    const source = name === "JWKSCACert" ? { JWKSURL } : { OIDCDiscoveryURL, BoundAudiences: "us" };
    const read = (pem: string) => readJwtConfig({ ...source, [name]: pem }).source;
    expect(read(CERTIFICATE.repeat(20))).toMatchObject({ ca: CERTIFICATE.repeat(20) });
    expect(() => read(CERTIFICATE.repeat(21))).toThrow(
      new MethodConfigError(`error checking ${name}: it contains more than 20 certificates`),
    );
    expect(read(CERTIFICATE.padEnd(65_536, "\n"))).toBeDefined();
    expect(() => read(CERTIFICATE.padEnd(65_537, "\n"))).toThrow(
      new MethodConfigError(`error checking ${name}: it is longer than 65536 characters`),
    );
  });

  test.each([
    ["JWKSURL", JWKSURL.padEnd(4097, "/")],
    ["OIDCDiscoveryURL", OIDCDiscoveryURL.padEnd(4097, "/")],
    ["BoundIssuer", "x".repeat(4097)],
    ["BoundAudiences", "x".repeat(4097)],
  ])("with a very long %s is refused", (name, long) => {
    expect(() => readJwtConfig({ [name]: long })).toThrow(
      new MethodConfigError(`'${name}' must not be longer than 4096 characters`),
    );
  });

  test("with keys that no type knows is refused", () => {
    expect(() => readJwtConfig({ JWTValidationPubKeys: PEM, BoundSubject: "x" })).toThrow(
      new MethodConfigError("error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: BoundSubject"),
    );
  });

  test.each([
    ["text", "x", NO_KEY],
    ["an empty text", "", NO_KEY],
    ["a private key", pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey), NO_KEY],
    ["a key of another curve", pemOf(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey), NO_KEY],
    ["a key that only encrypts", pemOf(generateKeyPairSync("x25519").publicKey), NO_KEY],
    ["a broken key", PEM.replace(/^M..../m, "AAAAA"), NO_KEY],
    [
      "a short RSA key",
      pemOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey),
      "RSA keys must have 2048 to 8192 bits and an exponent from 3 to 4294967296",
    ],
    ["very many keys", PEM.repeat(500), "data is longer than 65536 characters"],
  ])("with %s in place of a public key is refused", (_what, pem, problem) => {
    expect(() => readJwtConfig({ JWTValidationPubKeys: [PEM, pem] })).toThrow(
      new MethodConfigError(`error parsing public key JWTValidationPubKeys[1]: ${problem}`),
    );
  });

  test("with more keys than are tried is refused", () => {
    expect(() => readJwtConfig({ JWTValidationPubKeys: Array.from({ length: 101 }, () => PEM) })).toThrow(
      new MethodConfigError("JWTValidationPubKeys has more than 100 keys"),
    );
  });

  test("has keys as PEM of either kind, as certificates, and several in one text", () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
    const pems = [
      PEM,
      `\n${PEM.trimEnd()} \t\n\n`,
      PEM.replaceAll("\n", "\r\n"),
      rsa.export({ format: "pem", type: "pkcs1" }),
      pemOf(generateKeyPairSync("ed25519").publicKey),
      `a certificate\n${CERTIFICATE}`,
      PEM + CERTIFICATE,
    ];
    const { source } = readJwtConfig({ JWTValidationPubKeys: pems });
    const kinds = source.kind === "static" ? source.keys.map(({ kind }) => kind) : [];
    expect(kinds).toEqual(["P-256", "P-256", "P-256", "RSA", "Ed25519", "P-256", "P-256", "P-256"]);
  });

  test("has leeways: by default, none below zero, or its own", () => {
    const leeways = (raw: RawConfig) => readJwtConfig({ JWTValidationPubKeys: PEM, ...raw }).rules.leeways;
    expect(leeways({})).toEqual({ expiration: 150, notBefore: 150, skew: 60 });
    expect(leeways({ ExpirationLeeway: "-1s", NotBeforeLeeway: -1, ClockSkewLeeway: "-1ns" })).toEqual({
      expiration: 0,
      notBefore: 0,
      skew: 0,
    });
    expect(leeways({ ExpirationLeeway: "1m30s", NotBeforeLeeway: 1e9, ClockSkewLeeway: "500ms" })).toEqual({
      expiration: 90,
      notBefore: 1,
      skew: 0.5,
    });
  });

  test("supports the algorithms that it names, RS256 unless it names any", () => {
    const discovered = { OIDCDiscoveryURL, BoundAudiences: "us" };
    const algorithms = (raw: RawConfig, reading?: Reading) => readJwtConfig(raw, reading).algorithms;
    const [named, all] = [{ JWTSupportedAlgs: ["ES256", "EdDSA", "PS512"] }, new Set(["ES256", "EdDSA", "PS512"])];
    for (const reading of ["present", "earlier"] as const) {
      expect(algorithms(discovered, reading)).toEqual(new Set(["RS256"]));
      expect(algorithms({ ...discovered, ...named }, reading)).toEqual(all);
    }
    for (const source of [{ JWTValidationPubKeys: PEM }, { JWKSURL: "https://keys.example.com" }]) {
      expect(algorithms(source)).toBe(undefined);
      expect(algorithms({ ...source, ...named })).toEqual(all);
      expect(algorithms({ ...source, ...named }, "earlier")).toBe(undefined);
    }
  });
});

function pemOf(key: KeyObject): string {
  return key.export({ format: "pem", type: key.type === "private" ? "pkcs8" : "spki" });
}

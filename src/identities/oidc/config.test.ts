import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { MethodConfigError } from "../errors.ts";
import { readOidcConfig } from "./config.ts";

const COMPLETE = {
  OIDCDiscoveryURL: "https://id.example.com",
  OIDCClientID: "tessera",
  OIDCClientSecret: "secret",
  AllowedRedirectURIs: ["http://localhost:8550/oidc/callback"],
};

const pemOf = ({ privateKey }: { privateKey: KeyObject }) => privateKey.export({ type: "pkcs8", format: "pem" });
const PEM = pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const EC = pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }));

describe("the configuration of an oidc method", () => {
  it.each([
    {},
    null,
    { Audience: null, KeyAlgorithm: "", PrivateKey: null },
    { PrivateKey: { PemKey: "", KeyID: "" } },
  ])("needs its secret where the assertion is %j, as the Go client writes nothing", (OIDCClientAssertion) => {
    expect(readOidcConfig({ ...COMPLETE, OIDCClientAssertion }).assertion).toBeUndefined();
    expect(() => readOidcConfig({ ...COMPLETE, OIDCClientAssertion, OIDCClientSecret: "" })).toThrow(
      new MethodConfigError("'OIDCClientSecret' must be set for type \"oidc\""),
    );
  });

  it.each(Object.keys(COMPLETE))("must have %s", (key) => {
    for (const nothing of [undefined, null, "", []]) {
      if (nothing === "" && key === "AllowedRedirectURIs") continue;
      if (Array.isArray(nothing) && key !== "AllowedRedirectURIs") continue;
      expect(() => readOidcConfig({ ...COMPLETE, [key]: nothing })).toThrow(
        new MethodConfigError(`'${key}' must be set for type "oidc"`),
      );
    }
  });

  it.each([
    ["JWTValidationPubKeys", ["x"]],
    ["JWKSURL", "https://id.example.com/keys"],
    ["JWKSCACert", "x"],
    ["BoundIssuer", "x"],
    ["ExpirationLeeway", "1s"],
    ["NotBeforeLeeway", "-1s"],
    ["ClockSkewLeeway", 1],
  ])("must not have %s", (key, value) => {
    expect(() => readOidcConfig({ ...COMPLETE, [key]: value })).toThrow(
      new MethodConfigError(`'${key}' must not be set for type "oidc"`),
    );
  });

  it("may have keys of other types that say nothing", () => {
    const nothing = { JWKSURL: "", JWTValidationPubKeys: [], ExpirationLeeway: 0, BoundIssuer: null };
    expect(readOidcConfig({ ...COMPLETE, ...nothing })).toMatchObject({ issuer: "https://id.example.com" });
  });

  it("has standards for what may be left out", () => {
    expect(readOidcConfig(COMPLETE)).toMatchObject({
      ca: undefined,
      scopes: ["openid"],
      acrValues: [],
      algorithms: ["RS256"],
      boundAudiences: new Set(),
      mapping: { form: { variables: new Set() } },
    });
  });

  it("takes the optional keys, each scope once and openid first", () => {
    const { ca } = makeCertificate();
    const config = readOidcConfig({
      ...COMPLETE,
      OIDCDiscoveryCACert: ca,
      OIDCScopes: ["groups", "openid", "groups"],
      OIDCACRValues: ["gold", "silver"],
      VerboseOIDCLogging: true,
      OIDCLogoutURL: "https://idp.example/logout",
      OIDCPostLogoutRedirectURIs: ["https://app.example/"],
      // As the Go client writes what it is not told.
      OIDCClientUsePKCE: null,
      OIDCClientAssertion: null,
      JWTSupportedAlgs: ["ES256", "EdDSA"],
      BoundAudiences: ["one"],
      ClaimMappings: { sub: "user" },
      ListClaimMappings: { groups: "groups" },
    });
    expect(config).toMatchObject({
      ca,
      scopes: ["openid", "groups"],
      acrValues: ["gold", "silver"],
      algorithms: ["ES256", "EdDSA", "Ed25519"],
      boundAudiences: new Set(["one"]),
      mapping: { form: { variables: new Set(["value.user"]) } },
    });
  });

  it.each([
    [{ OIDCDiscoveryURL: "id.example.com" }, "error checking OIDCDiscoveryURL: not a valid http or https URL"],
    [{ OIDCDiscoveryURL: "file:///etc" }, "error checking OIDCDiscoveryURL: not a valid http or https URL"],
    [
      { OIDCDiscoveryURL: "https://me:secret@id.example.com" },
      "error checking OIDCDiscoveryURL: a URL with credentials is not supported",
    ],
    [{ OIDCDiscoveryCACert: "x" }, "error checking OIDCDiscoveryCACert: it does not contain a PEM certificate"],
    [
      { OIDCDiscoveryCACert: "x".repeat(65_537) },
      "error checking OIDCDiscoveryCACert: it is longer than 65536 characters",
    ],
    [
      { OIDCDiscoveryURL: `https://id.example.com${"/".repeat(4096)}` },
      "'OIDCDiscoveryURL' must not be longer than 4096 characters",
    ],
    [{ OIDCClientSecret: "x".repeat(4097) }, "'OIDCClientSecret' must not be longer than 4096 characters"],
    [
      { AllowedRedirectURIs: ["http://localhost/", "x".repeat(4097)] },
      "'AllowedRedirectURIs[1]' must not be longer than 4096 characters",
    ],
    [
      { OIDCClientAssertion: { PrivateKey: { PemKey: PEM } } },
      "only one of 'OIDCClientSecret' and 'OIDCClientAssertion' can be set for type \"oidc\"",
    ],
    [{ OIDCClientAssertion: { KeyAlgorithm: "RS256" } }, "'OIDCClientAssertion.PrivateKey.PemKey' must be set"],
    [
      { OIDCClientAssertion: { KeyAlgorithm: "HS256", PrivateKey: { PemKey: PEM } } },
      "'OIDCClientAssertion.KeyAlgorithm' must be one of RS256, RS384, RS512",
    ],
    [
      { OIDCClientAssertion: { PrivateKey: { PemKey: "secret" } } },
      "'OIDCClientAssertion.PrivateKey.PemKey' must be an RSA private key of 2048 to 8192 bits in PEM form",
    ],
    [
      { OIDCClientAssertion: { PrivateKey: { PemKey: EC } } },
      "'OIDCClientAssertion.PrivateKey.PemKey' must be an RSA private key of 2048 to 8192 bits in PEM form",
    ],
    [
      { OIDCClientAssertion: { PrivateKey: { PemKeyFile: "/etc/key" } } },
      "'OIDCClientAssertion.PrivateKey.PemKeyFile' is not supported: the key must be in PemKey",
    ],
    [
      { OIDCClientAssertion: { Audience: [""], PrivateKey: { PemKey: PEM } } },
      "'OIDCClientAssertion.Audience' must not contain an empty audience",
    ],
    [
      { OIDCClientAssertion: { Other: 1, PrivateKey: { PemKey: PEM } } },
      "'OIDCClientAssertion': error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: Other",
    ],
    [
      { OIDCClientAssertion: "x" },
      "error decoding config: 1 error(s) decoding:\n\n* 'OIDCClientAssertion' expected type 'map[string]interface {}', got unconvertible type 'string'",
    ],
    [{ JWTSupportedAlgs: ["HS256"] }, "Invalid supported algorithm: HS256"],
    [{ JWTSupportedAlgs: ["none"] }, "Invalid supported algorithm: none"],
    [{ ClaimMappings: { a: "x", b: "x" } }, 'ClaimMappings contains multiple mappings for key "x"'],
    [{ Unknown: 1 }, "error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: Unknown"],
  ])("with %j is refused", (more, message) => {
    expect(() => readOidcConfig({ ...COMPLETE, ...more })).toThrow(new MethodConfigError(message));
  });
});

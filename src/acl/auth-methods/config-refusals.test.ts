/** Each text by which the configuration of an auth method is refused, of all types. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { AWS_CONFIG, jwtConfig, kubernetesConfig } from "../../../test/support/method-configs.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { REDIRECT_URI } from "../../../test/support/openid-login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const { ca } = makeCertificate();
const URL = "https://192.0.2.1/keys";
const ONE = `exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL' must be set for type "jwt"`;
const NO_KEY = "data does not contain any valid RSA, ECDSA, or ED25519 public keys";
const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
/** A whole text, or how it begins. */
type Text = string | RegExp;
type Case = [what: string, config: object, text: Text];

const decoding = (problem: string) => `error decoding config: 1 error(s) decoding:\n\n* ${problem}`;

const JWT: readonly Case[] = [
  ["no source of keys", {}, ONE],
  ["a source that is empty", { JWTValidationPubKeys: [], JWKSURL: "" }, ONE],
  ["keys and JWKSURL", jwtConfig(key, { JWKSURL: URL }), ONE],
  ["keys and OIDCDiscoveryURL", jwtConfig(key, { OIDCDiscoveryURL: URL }), ONE],
  ["two URLs", { JWKSURL: URL, OIDCDiscoveryURL: URL }, ONE],
  ["all three sources", jwtConfig(key, { JWKSURL: URL, OIDCDiscoveryURL: URL }), ONE],
  ["a stray JWKSCACert", jwtConfig(key, { JWKSCACert: ca }), "'JWKSCACert' should not be set unless 'JWKSURL' is set"],
  [
    "a stray OIDCDiscoveryCACert",
    jwtConfig(key, { OIDCDiscoveryCACert: ca }),
    "'OIDCDiscoveryCACert' should not be set unless 'OIDCDiscoveryURL' is set",
  ],
  ...["OIDCClientID", "OIDCClientSecret", "OIDCScopes", "OIDCACRValues", "AllowedRedirectURIs"].map((name): Case => [
    name,
    jwtConfig(key, { [name]: "x" }),
    `'${name}' must not be set for type "jwt"`,
  ]),
  [
    "VerboseOIDCLogging",
    jwtConfig(key, { VerboseOIDCLogging: true }),
    `'VerboseOIDCLogging' must not be set for type "jwt"`,
  ],
  [
    "a key that is none",
    { JWTValidationPubKeys: ["x"] },
    `error parsing public key JWTValidationPubKeys[0]: ${NO_KEY}`,
  ],
  [
    "a second key that is none",
    { JWTValidationPubKeys: [key.publicKey, PEM] },
    `error parsing public key JWTValidationPubKeys[1]: ${NO_KEY}`,
  ],
  [
    "a private key",
    { JWTValidationPubKeys: [key.privateKey.export({ format: "pem", type: "pkcs8" })] },
    `error parsing public key JWTValidationPubKeys[0]: ${NO_KEY}`,
  ],
  ...["x", "none", "HS256", "rs256", ""].map((name): Case => [
    `the algorithm "${name}"`,
    jwtConfig(key, { JWTSupportedAlgs: ["RS256", name] }),
    `Invalid supported algorithm: ${name}`,
  ]),
  [
    "two claims of one name",
    jwtConfig(key, { ClaimMappings: { a: "x", b: "x" } }),
    'ClaimMappings contains multiple mappings for key "x"',
  ],
  [
    "two lists of one name",
    jwtConfig(key, { ListClaimMappings: { a: "x", b: "x" } }),
    'ListClaimMappings contains multiple mappings for key "x"',
  ],
  ["a bad JWKSCACert", { JWKSURL: URL, JWKSCACert: "x" }, /^error checking JWKSCACert: /],
  [
    "a bad OIDCDiscoveryCACert",
    { OIDCDiscoveryURL: URL, BoundAudiences: "a", OIDCDiscoveryCACert: PEM },
    /^error checking OIDCDiscoveryCACert: /,
  ],
  ["a JWKSURL that is none", { JWKSURL: "x" }, /^error checking JWKSURL: /],
  ["a JWKSURL of a file", { JWKSURL: "file:///etc/passwd" }, /^error checking JWKSURL: /],
  [
    "an OIDCDiscoveryURL that is none",
    { OIDCDiscoveryURL: "x", BoundAudiences: "a" },
    /^error checking OIDCDiscoveryURL: /,
  ],
  [
    "incident 4: a provider without audiences",
    { OIDCDiscoveryURL: URL },
    /^'BoundAudiences' must be set with 'OIDCDiscoveryURL'/,
  ],
  ["an unknown key", jwtConfig(key, { Nonsense: "x" }), decoding("'' has invalid keys: Nonsense")],
  ["two unknown keys", jwtConfig(key, { z: 1, bound_issuer: "x" }), decoding("'' has invalid keys: bound_issuer, z")],
  [
    "a key in two spellings",
    jwtConfig(key, { BoundIssuer: "a", boundissuer: "b" }),
    decoding("'' has invalid keys: boundissuer"),
  ],
  ["a key of another type", jwtConfig(key, { Host: "https://a" }), decoding("'' has invalid keys: Host")],
  [
    "a map where a text is wanted",
    jwtConfig(key, { BoundIssuer: {} }),
    decoding("'BoundIssuer' expected type 'string', got unconvertible type 'map[string]interface {}'"),
  ],
  [
    "a text where a map is wanted",
    jwtConfig(key, { ClaimMappings: "x" }),
    /^error decoding config: 1 error\(s\) decoding:\n\n\* 'ClaimMappings' expected/,
  ],
  [
    "a leeway without a unit",
    jwtConfig(key, { ClockSkewLeeway: "5" }),
    /'ClockSkewLeeway': time: missing unit in duration "5"$/,
  ],
];

const OIDC = { OIDCDiscoveryURL: URL, OIDCClientID: "c", OIDCClientSecret: "s", AllowedRedirectURIs: [REDIRECT_URI] };
const OIDC_CASES: readonly Case[] = [
  ...["OIDCDiscoveryURL", "OIDCClientID", "OIDCClientSecret", "AllowedRedirectURIs"].flatMap((name): Case[] =>
    [undefined, null, "", []]
      .slice(0, name === "AllowedRedirectURIs" ? 4 : 3)
      .map((value) => [
        `no ${name}: ${JSON.stringify(value)}`,
        { ...OIDC, [name]: name === "AllowedRedirectURIs" && value === "" ? [] : value },
        `'${name}' must be set for type "oidc"`,
      ]),
  ),
  ...["JWTValidationPubKeys", "JWKSURL", "JWKSCACert", "BoundIssuer"].map((name): Case => [
    name,
    { ...OIDC, [name]: "x" },
    `'${name}' must not be set for type "oidc"`,
  ]),
  ...["ExpirationLeeway", "NotBeforeLeeway", "ClockSkewLeeway"].map((name): Case => [
    name,
    { ...OIDC, [name]: "1s" },
    `'${name}' must not be set for type "oidc"`,
  ]),
  ["an algorithm that is none", { ...OIDC, JWTSupportedAlgs: ["HS256"] }, "Invalid supported algorithm: HS256"],
  [
    "two claims of one name",
    { ...OIDC, ClaimMappings: { a: "x", b: "x" } },
    'ClaimMappings contains multiple mappings for key "x"',
  ],
  ["a bad OIDCDiscoveryCACert", { ...OIDC, OIDCDiscoveryCACert: "x" }, /^error checking OIDCDiscoveryCACert: /],
  ["an OIDCDiscoveryURL that is none", { ...OIDC, OIDCDiscoveryURL: "x" }, /^error checking OIDCDiscoveryURL: /],
  ["an unknown key", { ...OIDC, x: 1 }, decoding("'' has invalid keys: x")],
];

const kubernetes = (more: object) => kubernetesConfig(key, ca, more);
const KUBERNETES: readonly Case[] = [
  ["nothing", {}, "Config.Host is required"],
  ["no Host", kubernetes({ Host: undefined }), "Config.Host is required"],
  ["no CACert", kubernetes({ CACert: "" }), "Config.CACert is required"],
  ["no ServiceAccountJWT", kubernetes({ ServiceAccountJWT: null }), "Config.ServiceAccountJWT is required"],
  ["a CACert that is none", kubernetes({ CACert: "x" }), /^error parsing kubernetes ca cert: /],
  ["a CACert of another kind", kubernetes({ CACert: key.publicKey }), /^error parsing kubernetes ca cert: /],
  ["a broken CACert", kubernetes({ CACert: PEM }), /^error parsing kubernetes ca cert: /],
  [
    "a ServiceAccountJWT that is none",
    kubernetes({ ServiceAccountJWT: "x" }),
    /^Config\.ServiceAccountJWT is not a valid JWT: /,
  ],
  [
    "a ServiceAccountJWT of four parts",
    kubernetes({ ServiceAccountJWT: "a.b.c.d" }),
    /^Config\.ServiceAccountJWT is not a valid JWT: /,
  ],
  ["a Host without TLS", kubernetes({ Host: "http://a" }), "Config.Host is not an https URL"],
  ["an unknown key", kubernetes({ PemKeys: "x" }), decoding("'' has invalid keys: PemKeys")],
  [
    "MapNamespaces that is no truth",
    kubernetes({ MapNamespaces: "x" }),
    decoding("cannot parse 'MapNamespaces' as bool"),
  ],
];

const DETAILS = "must set EnableIAMEntityDetails=true to use";
const arns = (...names: string[]) => ({ BoundIAMPrincipalARNs: names });
const STAR = "arn:aws:iam::111122223333:role/*";
const AWS: readonly Case[] = [
  ["nothing", {}, "BoundIAMPrincipalARNs is required and must have at least 1 entry"],
  ["no ARN", arns(), "BoundIAMPrincipalARNs is required and must have at least 1 entry"],
  ["an ARN that is none", arns("x"), 'invalid principal ARN: "x"'],
  [
    "an ARN of another service",
    arns("arn:aws:s3::111122223333:role/a"),
    'invalid principal ARN: "arn:aws:s3::111122223333:role/a"',
  ],
  ["a star without details", arns(STAR), `${DETAILS} wildcards in BoundIAMPrincipalARNs`],
  [
    "two stars",
    { ...arns("arn:aws:iam::111122223333:*/*"), EnableIAMEntityDetails: true },
    "only one wildcard is allowed at the end of the bound IAM principal ARN",
  ],
  ["tags without details", { ...AWS_CONFIG, IAMEntityTags: ["a"] }, `${DETAILS} IAMEntityTags`],
  ["an endpoint that is none", { ...AWS_CONFIG, STSEndpoint: "x" }, /^STSEndpoint is not an http or https URL$/],
  ["an unknown key", { ...AWS_CONFIG, x: 1 }, decoding("'' has invalid keys: x")],
];

const ALL = Object.entries({ jwt: JWT, oidc: OIDC_CASES, kubernetes: KUBERNETES, "aws-iam": AWS });
const ACCEPTED = { jwt: jwtConfig(key), kubernetes: kubernetes({}), "aws-iam": AWS_CONFIG };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  describe.each(ALL)("the type %s", (type, cases) => {
    test.each(cases)("is refused with %s, new or changed", async (_what, config, text) => {
      const content = { Type: type, Config: config, MaxTokenTTL: "5m" };
      const answers = [await v1.put("/acl/auth-method", { Name: "new", ...content })];
      const accepted = Object.entries(ACCEPTED).find(([name]) => name === type)?.[1];
      if (accepted !== undefined) {
        const name = `stands-${type}`;
        const before = await v1.put("/acl/auth-method", { Name: name, ...content, Config: accepted });
        expect(before.status, before.text).toBe(200);
        answers.push(await v1.put(`/acl/auth-method/${name}`, content));
        expect((await v1.get(`/acl/auth-method/${name}`)).body).toEqual(before.body);
      }
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        const [prefix, rest] = [answer.text.slice(0, 21), answer.text.slice(21)];
        expect(prefix).toBe("Invalid Auth Method: ");
        if (typeof text === "string") expect(rest).toBe(text);
        else expect(rest).toMatch(text);
      }
      expect((await v1.get("/acl/auth-method/new")).status).toBe(404);
    });
  });

  test("what is read generously is taken", async () => {
    for (const [Type, Config] of [
      [
        "jwt",
        {
          jwtvalidationpubkeys: key.publicKey,
          BOUNDAUDIENCES: 7,
          expirationleeway: 150_000_000_000,
          ClockSkewLeeway: "-1s",
        },
      ],
      ["jwt", jwtConfig(key, { JWTSupportedAlgs: ["RS256", "PS512", "ES384", "EdDSA"], NotBeforeLeeway: "0" })],
      ["jwt", { JWTValidationPubKeys: [ca] }],
      ["jwt", jwtConfig(key, { JWKSURL: "", OIDCClientID: "", VerboseOIDCLogging: false, AllowedRedirectURIs: [] })],
      ["jwt", jwtConfig(key, { ClaimMappings: { a: "x" }, ListClaimMappings: { a: "x" } })],
      ["kubernetes", kubernetes({ Host: "kubernetes.default.svc:443", MapNamespaces: "0" })],
      ["aws-iam", { boundiamprincipalarns: STAR, enableiamentitydetails: "true", IAMEntityTags: "a", MaxRetries: "3" }],
    ] as const) {
      const { status, body, text } = await v1.put("/acl/auth-method", { Name: v1.unique("taken"), Type, Config });
      expect({ status, text: status === 200 ? "" : text }).toEqual({ status: 200, text: "" });
      expect(body.Config).toEqual(Config);
    }
  });
});

/** Example configurations by type: placeholders, which are never sent. */
const EXAMPLES: Readonly<Record<string, object>> = {
  jwt: {
    OIDCDiscoveryURL: "https://issuer.example.com",
    BoundAudiences: ["https://tessera.example.com"],
    ClaimMappings: { sub: "sub" },
  },
  oidc: {
    OIDCDiscoveryURL: "https://login.example.com",
    OIDCClientID: "tessera",
    OIDCClientSecret: "…",
    AllowedRedirectURIs: ["https://tessera.example.com/ui/oidc/callback"],
    ClaimMappings: { email: "email" },
    ListClaimMappings: { groups: "groups" },
  },
  kubernetes: { Host: "https://192.0.2.10:6443", CACert: "…", ServiceAccountJWT: "…" },
  "aws-iam": { BoundIAMPrincipalARNs: ["arn:aws:iam::123456789012:role/deploy"] },
};

/** Returns the example configuration of a type. */
export function exampleOf(type: string): string {
  return JSON.stringify(EXAMPLES[type] ?? {}, undefined, 2);
}

/** Without `--outbound-allow`: which addresses a configuration may name. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { REDIRECT_URI } from "../../../test/support/openid-login.ts";
import { makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
let server: KeyServer;
beforeAll(async () => (server = await startKeyServer([key])));
afterAll(() => server.close());

const jwks = () => ({ JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca });
const discovery = () => ({
  OIDCDiscoveryURL: server.url,
  OIDCDiscoveryCACert: server.ca,
  BoundAudiences: ["a"],
  JWTSupportedAlgs: "ES256",
});
const oidc = () => ({
  OIDCDiscoveryURL: server.url,
  OIDCDiscoveryCACert: server.ca,
  OIDCClientID: "c",
  OIDCClientSecret: "s",
  AllowedRedirectURIs: [REDIRECT_URI],
});
/** An address that other machines of the network may have, too. */
const OWN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(
    ({ address, internal }) => !internal && /^(10|172\.(1[6-9]|2\d|3[01])|192\.168|192\.0\.2)\./.test(address),
  )?.address;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makePartition(v1, "unit");
  });

  test("a loopback address is refused in clear words, everywhere, and nobody is connected to", async () => {
    let connections = 0;
    const plain = createServer((_request, response) => void response.end("{}")).on("connection", () => connections++);
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    const { port } = plain.address() as AddressInfo;
    const asked = server.requests.length;
    const hosts = [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://[::1]:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
      `http://2130706433:${port}`,
    ];
    for (const [Type, configs] of [
      [
        "jwt",
        [
          jwks(),
          discovery(),
          ...hosts.map((JWKSURL) => ({ JWKSURL })),
          ...hosts.map((host) => ({ OIDCDiscoveryURL: host, BoundAudiences: "a" })),
        ],
      ],
      ["oidc", [oidc()]],
    ] as const) {
      for (const Config of configs) {
        for (const query of ["", "?ns=team", "?partition=unit"]) {
          const { status, text } = await v1.put(`/acl/auth-method${query}`, {
            Name: "a",
            Type,
            Config,
            MaxTokenTTL: "5m",
          });
          expect(status).toBe(400);
          expect(text).toMatch(
            /^Invalid Auth Method: error checking (JWKSURL|OIDCDiscoveryURL): .*loopback address.*--outbound-allow/,
          );
        }
      }
    }
    expect([connections, server.requests.length]).toEqual([0, asked]);
    plain.close();
  });

  test.skipIf(OWN === undefined)(
    "an address of the network of the server is for methods of default/default alone",
    async () => {
      const plain = createServer((_request, response) => void response.end(JSON.stringify({ keys: [key.jwk] })));
      await new Promise<void>((resolve) => plain.listen(0, OWN, resolve));
      const Config = { JWKSURL: `http://${OWN}:${(plain.address() as AddressInfo).port}` };
      for (const [query, status] of [
        ["", 200],
        ["?ns=team", 400],
        ["?partition=unit", 400],
      ] as const) {
        const answer = await v1.put(`/acl/auth-method${query}`, { Name: "near", Type: "jwt", Config });
        expect(answer.status, answer.text).toBe(status);
      }
      plain.close();
    },
  );

  test("incident 32: link-local and metadata addresses are refused, everywhere", async () => {
    for (const host of ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "0.0.0.0", "100.100.100.200"]) {
      for (const query of ["", "?ns=team"]) {
        const answer = await v1.put(`/acl/auth-method${query}`, {
          Name: "a",
          Type: "jwt",
          Config: { JWKSURL: `http://${host}/` },
        });
        expect(answer.status).toBe(400);
        expect(answer.text).toMatch(
          /^Invalid Auth Method: error checking JWKSURL: .*(link-local|metadata|unspecified) address/,
        );
      }
    }
  });

  test.each(["10.1.2.3", "192.168.0.1", "172.16.0.1", "[fd00::1]", "[::ffff:10.0.0.1]"])(
    "the private address %s is refused to methods of other namespaces and partitions",
    async (host) => {
      for (const query of ["?ns=team", "?partition=unit"]) {
        const answer = await v1.put(`/acl/auth-method${query}`, {
          Name: "a",
          Type: "jwt",
          Config: { JWKSURL: `http://${host}/` },
        });
        expect(answer.status).toBe(400);
        expect(answer.text).toMatch(
          /^Invalid Auth Method: error checking JWKSURL: .*private address.*--outbound-allow/,
        );
      }
    },
  );
});

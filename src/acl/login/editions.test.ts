/** Logins of the community edition, and of methods that take no bearer token. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const ENTERPRISE = "Namespaces are a Consul Enterprise feature";

forEachEngine((_engine, makeUrl) => {
  describe("without namespaces", () => {
    const v1 = useV1(makeUrl, { config: { ...UNLIMITED_LOGINS, edition: "community" } });
    beforeAll(async () => {
      await makeMethod(v1, key, { Name: "m" });
      await makeRule(v1, { AuthMethod: "m" });
    });

    test("a token and an explanation name none", async () => {
      const { body, text } = await login(v1, "m", bearer(key));
      expect(body, text).toMatchObject({ AuthMethod: "m", ServiceIdentities: [{ ServiceName: "web" }] });
      for (const member of ["Namespace", "Partition", "AuthMethodNamespace"]) expect(body).not.toHaveProperty(member);
      const explained = await v1.post("/acl/login/explain", { AuthMethod: "m", Identity: {} });
      expect(explained.body.Token).toEqual({
        AuthMethod: "m",
        Local: true,
        ServiceIdentities: [{ ServiceName: "web" }],
      });
      expect((await v1.post("/acl/logout", undefined, body.SecretID)).text).toBe("true");
    });

    test.each(["/acl/login", "/acl/login/explain"])("a request that names one is refused: %s", async (path) => {
      const content = { AuthMethod: "m", BearerToken: bearer(key) };
      const prefix = "Failed to decode request body: json: unknown field";
      expect(await v1.post(path, { ...content, Namespace: "default" })).toMatchObject({
        status: 400,
        text: `${prefix} "Namespace" - ${ENTERPRISE}`,
      });
      expect(await v1.post(path, { ...content, Partition: "default" })).toMatchObject({
        status: 400,
        text: `${prefix} "Partition"`,
      });
      expect(await v1.post(`${path}?ns=default`, content)).toMatchObject({
        status: 400,
        text: `Invalid query parameter: "ns" - ${ENTERPRISE}`,
      });
      const headers = { "x-consul-namespace": "default" };
      const sent = { method: "POST", url: `/v1${path}`, headers, payload: JSON.stringify(content) } as const;
      expect(await v1.send(sent)).toMatchObject({
        status: 400,
        text: `Invalid header: "X-Consul-Namespace" - ${ENTERPRISE}`,
      });
      expect((await v1.post(`${path}?ns=`, content)).status).toBe(200);
    });
  });

  describe("a method of type oidc", () => {
    const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
    let provider: KeyServer;
    beforeAll(async () => {
      provider = await startKeyServer([key]);
      provider.answer = (path, response) => {
        if (path !== "/.well-known/openid-configuration") return false;
        const { url } = provider;
        const endpoints = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
        const document = { issuer: url, jwks_uri: `${url}/keys`, ...endpoints };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
        return true;
      };
      const Config = {
        OIDCDiscoveryURL: provider.url,
        OIDCDiscoveryCACert: provider.ca,
        OIDCClientID: "tessera",
        OIDCClientSecret: "canary-of-the-client",
        AllowedRedirectURIs: ["http://localhost:8550/oidc/callback"],
        ClaimMappings: { team: "team" },
        ListClaimMappings: { groups: "groups" },
      };
      const made = await v1.put("/acl/auth-method", { Name: "people", Type: "oidc", MaxTokenTTL: "1h", Config });
      expect(made.status, made.text).toBe(200);
      await makeRule(v1, { AuthMethod: "people", Selector: '"ops" in list.groups', BindName: "${value.team}" });
    });
    afterAll(() => provider.close());

    test("takes no bearer token", async () => {
      const text = 'auth method of type "oidc" logs in through the OIDC endpoints, not with a bearer token';
      expect(await login(v1, "people", bearer(key))).toMatchObject({ status: 403, text });
      const explained = await v1.post("/acl/login/explain", { AuthMethod: "people", BearerToken: bearer(key) });
      expect(explained).toMatchObject({ status: 200, body: { Refusal: text } });
    });

    test("is explained for a literal identity", async () => {
      const explain = (Identity: object) => v1.post("/acl/login/explain", { AuthMethod: "people", Identity });
      const { body, text } = await explain({ value: { team: "Web" }, list: { groups: ["ops"] } });
      expect(body.Token, text).toMatchObject({ ServiceIdentities: [{ ServiceName: "web" }], Namespace: "default" });
      expect(body.Variables).toEqual({ "value.team": "Web" });
      const other = await explain({ list: { groups: [] } });
      expect(other.body.Rules).toMatchObject([
        { Verdict: "not matched", Reason: '"ops" in list.groups is false: list.groups is []' },
      ]);
      expect(v1.log.join("\n")).not.toContain("canary-of-the-client");
    });
  });
});

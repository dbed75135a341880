/** Logins whose identities others vouch for: AWS, and providers of keys that change and go away. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearerTokenOf } from "../../../test/support/aws-bearer-token.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { json, startKubernetesApi, type KubernetesApi } from "../../../test/support/kubernetes-api.ts";
import { bearer, login, makeRule, MAPPINGS } from "../../../test/support/login.ts";
import { awsFailure, roleOf, startSts, userOf, type Sts } from "../../../test/support/sts.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"], loginFailureLimit: 0 } });

  async function make(Type: string, Config: object): Promise<string> {
    const Name = v1.unique(Type);
    const answer = await v1.put("/acl/auth-method", { Name, Type, Config });
    expect(answer.status, answer.text).toBe(200);
    return Name;
  }

  describe("AWS", () => {
    const role = roleOf("Web-Role");
    const stranger = roleOf("stranger");
    const user = userOf("deploy");
    let sts: Sts;
    beforeAll(async () => (sts = await startSts([role, stranger, user])));
    beforeEach(() => (sts.answer = () => undefined));
    afterAll(() => sts.close());

    const config = (more: object = {}) => ({
      BoundIAMPrincipalARNs: [`arn:aws:iam::${role.account}:role/${role.name}`],
      STSEndpoint: sts.url,
      IAMEndpoint: sts.url,
      ...more,
    });
    const sign = (who: typeof role, more: object = {}) =>
      bearerTokenOf(who, { stsUrl: sts.url, iamUrl: sts.url, ...more });

    test("a role logs in with a request that it signed, and is what rules see", async () => {
      const method = await make("aws-iam", config());
      await makeRule(v1, {
        AuthMethod: method,
        Selector: `entity_name == "Web-Role" and account_id == "${role.account}"`,
        BindName: "${entity_name}-${account_id}",
      });
      const { body, text } = await login(v1, method, sign(role));
      expect(body?.ServiceIdentities, text).toEqual([{ ServiceName: `web-role-${role.account}` }]);
      expect(body.AuthMethod).toBe(method);
      const other = await login(v1, method, sign(stranger));
      expect(other.status).toBe(403);
      expect(other.text).toMatch(/^IAM principal \S+ is not trusted$/);
    });

    test("with its tags and path, when the method asks for them", async () => {
      const details = { EnableIAMEntityDetails: true, IAMEntityTags: ["team", "service-name"] };
      const arns = [`arn:aws:iam::${role.account}:role${role.path}*`, `arn:aws:iam::${user.account}:user${user.path}*`];
      const method = await make("aws-iam", config({ ...details, BoundIAMPrincipalARNs: arns }));
      const Selector = 'entity_tags["service-name"] == "store & front" and entity_path == "/some/path/"';
      await makeRule(v1, { AuthMethod: method, Selector, BindName: "${entity_tags.team}" });
      await makeRule(v1, { AuthMethod: method, Selector: 'entity_name == "deploy"', BindType: "node", BindName: "n" });
      const asRole = await login(v1, method, sign(role, { withEntity: true }));
      expect(asRole.body?.ServiceIdentities, asRole.text).toEqual([{ ServiceName: "web" }]);
      const asUser = await login(v1, method, sign(user, { withEntity: true }));
      expect(asUser.body?.NodeIdentities, asUser.text).toEqual([{ NodeName: "n", Datacenter: "dc1" }]);
      expect((await login(v1, method, sign(role))).status).toBe(403);
    });

    test("incident 1: a request that was changed after it was signed proves nothing", async () => {
      const method = await make("aws-iam", config());
      await makeRule(v1, { AuthMethod: method });
      const good = JSON.parse(sign(role)) as Record<string, string>;
      expect((await login(v1, method, JSON.stringify(good))).status).toBe(200);
      const base64 = (text: string) => Buffer.from(text).toString("base64");
      const changed: Record<string, string>[] = [
        { iam_http_request_method: "GET" },
        { iam_request_url: base64("https://sts-x.elb.amazonaws.com/") },
        { iam_request_url: base64(`${sts.url}?Action=GetCallerIdentity`) },
        { iam_request_body: base64("Action=GetCallerIdentity&Version=2011-06-15&Action=GetSessionToken") },
        { iam_request_body: base64("Action=GetSessionToken&Version=2011-06-15") },
        { iam_request_headers: base64("{}") },
      ];
      for (const change of changed) {
        const answer = await login(v1, method, JSON.stringify({ ...good, ...change }));
        expect(answer.status, JSON.stringify(change)).toBe(403);
        expect(answer.text).not.toContain("canary-of-aws");
      }
      for (const text of ["", "x", "{}", "[]", "null", '{"__proto__": {}}']) {
        expect((await login(v1, method, text)).status).toBe(403);
      }
    });

    test("AWS that refuses is 403, AWS that is away or says nonsense is 503; neither is quoted", async () => {
      const method = await make("aws-iam", config());
      await makeRule(v1, { AuthMethod: method });
      sts.answer = () => awsFailure("sts", 403, "SignatureDoesNotMatch");
      const refused = await login(v1, method, sign(role));
      expect(refused.status, refused.text).toBe(403);
      sts.answer = () => awsFailure("sts", 503, "ServiceUnavailable");
      const away = await login(v1, method, sign(role));
      expect(away.status, away.text).toBe(503);
      for (const { text } of [refused, away]) expect(text).not.toContain("canary-of-aws");
    });
  });

  describe("keys of a provider", () => {
    const [first, second, third] = [createSigningKey("k1"), createSigningKey("k2"), createSigningKey("k3")];
    let provider: KeyServer;
    beforeEach(async () => {
      provider = await startKeyServer([first]);
      return () => provider.close();
    });
    const byKeys = () => ({ JWKSURL: `${provider.url}/keys`, JWKSCACert: provider.ca, ...MAPPINGS });
    const byDiscovery = () => ({
      OIDCDiscoveryURL: provider.url,
      OIDCDiscoveryCACert: provider.ca,
      JWTSupportedAlgs: ["ES256"],
      BoundAudiences: ["tessera"],
      ...MAPPINGS,
    });

    test.each([
      ["a set of keys", byKeys],
      ["discovery", byDiscovery],
    ])(
      "by %s: a key that comes is taken at once, one that went and one of somebody else are not",
      async (_what, configOf) => {
        const method = await make("jwt", configOf());
        await makeRule(v1, { AuthMethod: method, BindName: "${value.team}" });
        const audience = "BoundAudiences" in configOf() ? { aud: "tessera" } : {};
        const claims = { iss: provider.url, team: "Web", ...audience };
        const enter = (key: typeof first) => login(v1, method, bearer(key, claims));
        const { body, text } = await enter(first);
        expect(body?.ServiceIdentities, text).toEqual([{ ServiceName: "web" }]);
        provider.keys = [second];
        const rotated = await enter(second);
        expect(rotated.status, rotated.text).toBe(200);
        for (const key of [first, third]) expect((await enter(key)).status).toBe(403);
      },
    );

    test("rotation while 32 clients log in: each token of a key that is published is taken", async () => {
      const method = await make("jwt", byKeys());
      await makeRule(v1, { AuthMethod: method });
      provider.keys = [first, second];
      const keys = [first, second];
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, i) => login(v1, method, bearer(keys[i % 2] ?? first))),
      );
      expect(answers.map(({ status, text }) => (status === 200 ? "" : text)).filter(Boolean)).toEqual([]);
      // One look-up for the method, one for the unknown key; a few more where they cross.
      expect(provider.requests.filter((path) => path === "/keys").length).toBeLessThanOrEqual(4);
    });

    test("a provider that is away does not stop logins that a known key proves, nor is it asked by each", async () => {
      const method = await make("jwt", byKeys());
      await makeRule(v1, { AuthMethod: method });
      expect((await login(v1, method, bearer(first))).status).toBe(200);
      await provider.close();
      for (let i = 0; i < 3; i++) expect((await login(v1, method, bearer(first))).status).toBe(200);
    });

    test("a provider that is away before its keys are known is 503, and explain says so", async () => {
      const method = await make("jwt", byKeys());
      await makeRule(v1, { AuthMethod: method });
      provider.answer = (_path, response) => {
        response.writeHead(500, { "content-type": "text/html" }).end("<html>canary-of-the-provider</html>");
        return true;
      };
      const answer = await login(v1, method, bearer(first));
      expect(answer.status, answer.text).toBe(503);
      expect(answer.text).not.toContain("canary");
      const explained = await v1.post("/acl/login/explain", { AuthMethod: method, BearerToken: bearer(first) });
      expect(explained).toMatchObject({ status: 200, body: { Refusal: answer.text, Rules: [] } });
    });
  });

  describe("Kubernetes", () => {
    let api: KubernetesApi;
    beforeAll(async () => (api = await startKubernetesApi()));
    beforeEach(() => (api.answer = () => undefined));
    afterAll(() => api.close());

    test("a service account logs in under the name of its annotation", async () => {
      const method = await make("kubernetes", { Host: api.url, CACert: api.ca, ServiceAccountJWT: api.reviewer });
      await makeRule(v1, {
        AuthMethod: method,
        Selector: 'serviceaccount.namespace == "shop" and serviceaccount.name != "other"',
        BindName: "${serviceaccount.name}",
      });
      api.createAccount("shop", "cart", { "consul.hashicorp.com/service-name": "Basket" });
      const { body, text } = await login(v1, method, api.issueToken("shop", "cart"));
      expect(body?.ServiceIdentities, text).toEqual([{ ServiceName: "basket" }]);
      const gone = api.issueToken("shop", "cart");
      api.deleteAccount("shop", "cart");
      const refused = await login(v1, method, gone);
      expect(refused).toMatchObject({ status: 403 });
      expect(refused.text).toMatch(/^lookup failed: /);
      api.answer = () => json(500, { message: "canary-of-the-api-server" });
      const away = await login(v1, method, api.reviewer);
      expect(away.status, away.text).toBe(503);
      expect(away.text).not.toContain("canary");
    });
  });
});

/** Tests that a write contacts the addresses of a configuration, and that a write that keeps it does not. */
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer, type KeyServer } from "../../../test/support/key-server.ts";
import { bearer, login, makeRule } from "../../../test/support/login.ts";
import { AWS_CONFIG, jwtConfig } from "../../../test/support/method-configs.ts";
import { REDIRECT_URI } from "../../../test/support/openid-login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const CANARY = "ca9a4e-of-the-provider";
let server: KeyServer;
beforeAll(async () => (server = await startKeyServer([key])));
afterAll(() => server.close());
afterEach(() => (server.answer = () => false));

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
const down = (_path: string, response: ServerResponse) => {
  response.destroy();
  return true;
};
const says =
  (status: number, body: string, headers: Record<string, string> = {}): KeyServer["answer"] =>
  (_path, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
  const put = (Name: string, Config: object, more: object = {}): Promise<Answer> =>
    v1.put("/acl/auth-method", { Name, Type: "jwt", Config, ...more });
  const made = async (Config: object, more: object = {}) => {
    const answer = await put(v1.unique("method"), Config, more);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Name: string; Config: object };
  };

  describe.each([
    ["JWKSURL", jwks, "jwt"],
    ["OIDCDiscoveryURL", discovery, "jwt"],
    ["OIDCDiscoveryURL", oidc, "oidc"],
  ] as const)("%s", (source, config, Type) => {
    test.each<[what: string, answer: KeyServer["answer"]]>([
      ["goes down", down],
      ["answers HTML", says(200, `<html>${CANARY}</html>`, { "content-type": "text/html" })],
      ["answers an error", says(500, CANARY)],
      ["answers nothing", says(200, "")],
      ["answers another document", says(200, `{"issuer": "https://${CANARY}", "keys": "${CANARY}"}`)],
      ["redirects", says(302, CANARY, { location: `https://${CANARY}/` })],
      ["answers more than 1 MiB", says(200, JSON.stringify({ keys: [], x: CANARY.repeat(60_000) }))],
    ])(`a provider of type ${Type} that %s is told of, and nothing is written`, async (_what, answer) => {
      server.answer = answer;
      for (const name of ["new", "stands"]) {
        if (name === "stands") await put("stands", jwtConfig(key));
        const before = await v1.get(`/acl/auth-method/${name}`);
        if (name === "stands" && Type !== "jwt") continue;
        const { status, text } = await put(name, config(), { Type, MaxTokenTTL: "5m" });
        expect(status).toBe(400);
        expect(text).toMatch(new RegExp(`^Invalid Auth Method: error checking ${source}: [^\\n]{10,300}$`));
        expect(text).not.toContain(CANARY);
        expect(await v1.get(`/acl/auth-method/${name}`)).toMatchObject({ status: before.status, text: before.text });
      }
    });

    test(`a provider of type ${Type} without its authority is told of as such`, async () => {
      const { [`${source === "JWKSURL" ? "JWKS" : "OIDCDiscovery"}CACert`]: _, ...rest } = config() as Record<
        string,
        unknown
      >;
      const { status, text } = await put("new", rest, { Type, MaxTokenTTL: "5m" });
      expect(status).toBe(400);
      expect(text).toContain(`error checking ${source}: ${new URL(server.url).host}: certificate verification failed`);
    });
  });

  test.each([
    ["JWKSURL", jwks],
    ["OIDCDiscoveryURL", discovery],
  ] as const)(
    "with %s an update that leaves Config as it is works while the provider is down, and logins go on",
    async (_source, config) => {
      const { Name } = await made(config());
      await makeRule(v1, { AuthMethod: Name });
      const token = () => bearer(key, { aud: "a", iss: server.url });
      const logIn = () => login(v1, Name, token());
      if ("JWKSURL" in config()) await v1.patch(`/acl/auth-method/${Name}`, { Config: { BoundAudiences: ["a"] } });
      expect(await logIn()).toMatchObject({ status: 200 });
      const { Config } = (await v1.get(`/acl/auth-method/${Name}`)).body as { Config: Record<string, unknown> };
      const asked = server.requests.length;
      server.answer = down;
      const path = `/acl/auth-method/${Name}`;
      const reversed = Object.fromEntries(Object.entries(Config).toReversed());
      for (const answer of [
        await v1.put(path, { Config, Description: "1" }),
        await v1.put("/acl/auth-method", { Name, Config, MaxTokenTTL: "10m" }),
        await v1.patch(path, { Description: "2", NamespaceRules: [{ Selector: "value.x == y", BindNamespace: "a" }] }),
        await v1.patch(path, { Config: {} }),
        await v1.patch(path, { Config: { BoundAudiences: ["a"] } }),
        // As a client writes it that sorts the names of what it has read.
        await v1.put(path, { Config: reversed, Description: "3" }),
      ]) {
        expect(answer.status, answer.text).toBe(200);
        expect(await logIn()).toMatchObject({ status: 200 });
      }
      expect(server.requests.length).toBe(asked);
      const changed = await v1.patch(path, { Config: { BoundAudiences: ["a", "b"] } });
      expect(changed).toMatchObject({ status: 400, text: expect.stringContaining("error checking") });
      expect((await v1.get(path)).body.Config).toEqual(Config);
      expect(await logIn()).toMatchObject({ status: 200 });
    },
  );

  test("a method of type kubernetes or aws-iam asks nobody before a login", async () => {
    const asked = server.requests.length;
    server.answer = down;
    await made({ ...AWS_CONFIG, STSEndpoint: server.url, IAMEndpoint: server.url }, { Type: "aws-iam" });
    expect(server.requests.length).toBe(asked);
  });

  describe("while a provider thinks", () => {
    /** Begins a write that waits for the provider. @returns what lets the provider go on */
    const begin = async (write: () => Promise<Answer>) => {
      let goOn: () => void = () => undefined;
      let isAsked = false;
      const gate = new Promise<void>((resolve) => (goOn = resolve));
      server.answer = (_path, response) => {
        isAsked = true;
        void gate.then(() => response.writeHead(200).end(JSON.stringify({ keys: [key.jwk] })));
        return true;
      };
      const answer = write();
      await expect.poll(() => isAsked).toBe(true);
      return { answer, goOn };
    };

    test("others write, and a method of the same name that comes first counts", async () => {
      const Name = v1.unique("raced");
      const { answer, goOn } = await begin(() => put(Name, jwks()));
      expect((await put(Name, AWS_CONFIG, { Type: "aws-iam" })).status).toBe(200);
      goOn();
      expect(await answer).toMatchObject({ status: 400, text: "the Type field of an Auth Method is immutable" });
      expect((await v1.get(`/acl/auth-method/${Name}`)).body.Type).toBe("aws-iam");
    });

    test("a change by another is not undone: a patch is made of what there is then", async () => {
      const { Name } = await made(jwtConfig(key), { Description: "a" });
      const path = `/acl/auth-method/${Name}`;
      const { answer, goOn } = await begin(() => v1.patch(path, { Config: { JWTValidationPubKeys: null, ...jwks() } }));
      await v1.patch(path, { Description: "b", MaxTokenTTL: "1h" });
      goOn();
      expect(await answer).toMatchObject({
        status: 200,
        body: { Description: "b", MaxTokenTTL: "1h0m0s", Config: jwks() },
      });
    });

    test("a deletion counts: a patch finds nothing, a put with compare-and-set neither", async () => {
      const { Name } = await made(jwtConfig(key));
      const path = `/acl/auth-method/${Name}`;
      const patch = await begin(() => v1.patch(path, { Config: { JWTValidationPubKeys: null, ...jwks() } }));
      expect((await v1.delete(path)).text).toBe("true");
      patch.goOn();
      expect((await patch.answer).status).toBe(404);
      const again = await made(jwtConfig(key));
      const { ModifyIndex } = (await v1.get(`/acl/auth-method/${again.Name}`)).body;
      const cas = await begin(() =>
        v1.put(`/acl/auth-method/${again.Name}?cas=${ModifyIndex}`, { Type: "jwt", Config: jwks() }),
      );
      await v1.patch(`/acl/auth-method/${again.Name}`, { Description: "x" });
      cas.goOn();
      expect((await cas.answer).status).toBe(409);
      expect((await v1.get(`/acl/auth-method/${again.Name}`)).body).toMatchObject({
        Description: "x",
        Config: again.Config,
      });
    });
  });
});

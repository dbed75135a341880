import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { CLIENT, oidcConfig, REDIRECT_URI } from "../../../test/support/openid-login.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../../../test/support/openid-provider.ts";
import { userAgent } from "../../../test/support/user-agent.ts";
import { useV1 } from "../../../test/support/v1.ts";

const BAD_STATE = { status: 403, text: "Provider login failed: Expired or missing OAuth state." };
const MAPPINGS = { ClaimMappings: { team: "team", sub: "sub" }, ListClaimMappings: { groups: "groups" } };

let provider: OpenIdProvider;
beforeAll(async () => {
  const accounts = { ada: { idToken: { team: "Platform", groups: ["admins", "all"] } } };
  provider = await startOpenIdProvider({ clients: [CLIENT], accounts });
});
afterAll(() => provider.stop());

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
  beforeEach(() => v1.setNow(undefined));

  async function makeMethod(name: string, content: object = {}, query = ""): Promise<Answer> {
    const Config = { ...oidcConfig(provider), ...MAPPINGS };
    return v1.put(`/acl/auth-method${query}`, { Name: name, Type: "oidc", MaxTokenTTL: "1h", Config, ...content });
  }

  beforeAll(async () => {
    expect((await makeMethod("people", { DisplayName: "People" })).status).toBe(200);
    await makeMethod("others");
    for (const AuthMethod of ["people", "others"]) {
      const Selector = "admins in list.groups";
      await v1.put("/acl/binding-rule", { AuthMethod, Selector, BindType: "service", BindName: "web-${value.team}" });
    }
  });

  const ask = (content: object = {}): Promise<Answer> =>
    v1.post("/acl/oidc/auth-url", { AuthMethod: "people", RedirectURI: REDIRECT_URI, ...content }, "");

  /** Returns the parameters with which the browser comes back. */
  async function visit(content: object = {}): Promise<{ Code: string; State: string }> {
    const answer = await ask(content);
    expect(answer.status, answer.text).toBe(200);
    const { code, state } = await userAgent(provider, { account: "ada" })(String(answer.body.AuthURL));
    return { Code: String(code), State: String(state) };
  }

  const finish = (content: object): Promise<Answer> =>
    v1.post("/acl/oidc/callback", { AuthMethod: "people", ...content }, "");

  const states = async (): Promise<number> =>
    (await v1.db.sql.selectFrom("used_login_states").select("id").execute()).length;

  test("somebody who logs in at the provider is given a token", async () => {
    const before = await states();
    const back = await visit({ Meta: { host: "laptop" }, ClientNonce: "n-1" });
    expect(await states()).toBe(before);
    const answer = await finish({ ...back, ClientNonce: "n-1" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      Description: 'token created via OIDC login: {"host":"laptop"}',
      AuthMethod: "people",
      ServiceIdentities: [{ ServiceName: "web-platform" }],
    });
    expect(await states()).toBe(before + 1);
    expect((await v1.get("/acl/token/self", String(answer.body.SecretID))).status).toBe(200);
  });

  test("the URL has what the provider needs", async () => {
    const url = new URL(String((await ask()).body.AuthURL));
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toMatchObject({
      client_id: CLIENT.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      code_challenge_method: "S256",
    });
    expect(String(parameters["scope"]).split(" ")).toContain("openid");
    expect(parameters["nonce"]).toMatch(/^[0-9a-f]{40}$/);
    // The state says nothing to whoever reads it on the way.
    const state = String(parameters["state"]);
    for (const part of state.split(".")) expect(Buffer.from(part, "base64url").toString()).not.toContain("localhost");
  });

  describe("a state", () => {
    test("counts once, on all servers", async () => {
      const back = await visit();
      expect((await finish(back)).status).toBe(200);
      expect(await finish(back)).toMatchObject(BAD_STATE);
      // The same to whoever decodes it.
      expect(await finish({ ...back, State: `${back.State}A` })).toMatchObject(BAD_STATE);
    });

    test("that several clients use at once serves one of them at most", async () => {
      const back = await visit();
      const answers = await Promise.all(Array.from({ length: 8 }, () => finish(back)));
      // A provider that sees a code twice may withdraw what it gave for the first.
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      for (const { status } of answers) expect([200, 403, 503]).toContain(status);
      expect(await finish(back)).toMatchObject({ status: 403 });
    });

    test("counts for ten minutes", async () => {
      const start = Date.now();
      v1.setNow(start);
      const back = await visit();
      v1.setNow(start + 600_000);
      expect(await finish(back)).toMatchObject(BAD_STATE);
      v1.setNow(start + 599_000);
      // The provider itself has its own clock, by which nothing is late.
      expect((await finish(back)).text).not.toBe(BAD_STATE.text);
    });

    test("of another method is none, nor one of a method that was deleted and made again", async () => {
      const back = await visit();
      expect(await finish({ ...back, AuthMethod: "others" })).toMatchObject(BAD_STATE);
      await makeMethod("again");
      const late = await visit({ AuthMethod: "again" });
      await v1.delete("/acl/auth-method/again");
      await makeMethod("again");
      expect(await finish({ ...late, AuthMethod: "again" })).toMatchObject(BAD_STATE);
    });

    test("must be ours, to the last character", async () => {
      const { Code, State } = await visit();
      const middle = State.length >> 1;
      const other = State[middle] === "A" ? "B" : "A";
      const bent = ["", "x", State.slice(1), State.slice(0, -2), `${State}AAAA`, State.replace(".", ""), `${State}.x`];
      bent.push(State.slice(0, middle) + other + State.slice(middle + 1), "a".repeat(5000), "AAAAAAAAAAAA.AAAA");
      for (const state of bent) expect(await finish({ Code, State: state }), state).toMatchObject(BAD_STATE);
    });

    test("belongs to the client that has the nonce", async () => {
      const back = await visit({ ClientNonce: "mine" });
      for (const ClientNonce of ["", "Mine", "other"]) {
        expect(await finish({ ...back, ClientNonce })).toMatchObject(BAD_STATE);
      }
      expect((await finish({ ...back, ClientNonce: "mine" })).status).toBe(200);
    });
  });

  test("refused callbacks count as refused logins, and are logged as such", async () => {
    await makeMethod("counted");
    const tries = (): Promise<Answer> => finish({ AuthMethod: "counted", Code: "x", State: "AAAAAAAAAAAA.AAAA" });
    await Promise.all(Array.from({ length: 120 }, tries));
    expect((await tries()).status).toBe(429);
    expect(v1.log.some((line) => line.includes("login denied") && line.includes("counted"))).toBe(true);
  });

  test("a state is used up also by a login that is refused", async () => {
    await makeMethod("empty");
    const back = await visit({ AuthMethod: "empty" });
    expect((await finish({ ...back, AuthMethod: "empty" })).text).toContain("no binding rule grants it permissions");
    await v1.put("/acl/binding-rule", { AuthMethod: "empty", BindType: "service", BindName: "web" });
    expect(await finish({ ...back, AuthMethod: "empty" })).toMatchObject(BAD_STATE);
  });

  test("a flood of URLs writes nothing", async () => {
    // Records of earlier denials may be written at any time.
    const own = v1.db.sql.selectFrom("counters").selectAll().where("name", "not like", "refusals/%");
    const counters = () => own.orderBy("name").execute();
    await ask();
    const before = [await states(), await counters()];
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask({ Meta: { a: "b" } })));
    expect(new Set(answers.map(({ body }) => String(body.AuthURL))).size).toBe(300);
    expect([await states(), await counters()]).toEqual(before);
  });

  test("what is wrong is said", async () => {
    const texts: [Promise<Answer>, number, string | RegExp][] = [
      [ask({ RedirectURI: "" }), 400, "missing redirect_uri"],
      [ask({ RedirectURI: "http://evil.example/" }), 403, "unauthorized redirect_uri: http://evil.example/"],
      [ask({ AuthMethod: "nobody" }), 403, 'ACL not found: auth method "nobody" not found'],
      [ask({ Meta: { a: "x".repeat(4000) } }), 400, /too large/],
      [ask({ Nope: 1 }), 400, 'Failed to decode request body: json: unknown field "Nope"'],
      [finish({ State: "x" }), 403, "Provider login failed: OAuth code parameter not provided"],
      [finish({ Code: "x" }), 403, BAD_STATE.text],
      [finish({ ...(await visit()), Code: "wrong" }), 403, /^Provider login failed: Error exchanging oidc code: /],
      [
        v1.post("/acl/login", { AuthMethod: "people", BearerToken: "x" }, ""),
        403,
        /logs in through the OIDC endpoints/,
      ],
    ];
    for (const [asked, status, text] of texts) {
      const answer = await asked;
      expect(answer.status, answer.text).toBe(status);
      if (typeof text === "string") expect(answer.text).toBe(text);
      else expect(answer.text).toMatch(text);
    }
  });

  test("the methods that people can choose from are listed without a token", async () => {
    const { body } = await v1.get("/internal/ui/oidc-auth-methods", "");
    expect(body).toContainEqual(expect.objectContaining({ Name: "people", DisplayName: "People", Type: "oidc" }));
    expect(JSON.stringify(body)).not.toContain(CLIENT.clientSecret);
  });

  test("no credential is in the log", () => {
    const log = v1.log.join("\n");
    expect(log).not.toContain(CLIENT.clientSecret);
    expect(log).toContain("/v1/acl/oidc/callback");
  });

  describe("the community edition", () => {
    const community = useV1(makeUrl, { config: { edition: "community" } });

    test.each(["/acl/oidc/auth-url", "/acl/oidc/callback"])("knows no %s", async (path) => {
      expect(await community.post(path, {}, "")).toMatchObject({
        status: 404,
        text: "Invalid URL path: not a recognized HTTP API endpoint\n",
      });
    });
  });
});

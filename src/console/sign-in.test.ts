/** Signing in to the console: what is refused, and by way of an OpenID provider. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../test/support/console.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { CLIENT, oidcConfig } from "../../test/support/openid-login.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../../test/support/openid-provider.ts";
import { userAgent } from "../../test/support/user-agent.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../test/support/v1.ts";
import { returnPath } from "./session-routes.ts";

const CALLBACK = "http://localhost/ui/oidc/callback";

let provider: OpenIdProvider;
beforeAll(async () => {
  const client = { ...CLIENT, redirectUris: [...CLIENT.redirectUris, CALLBACK] };
  const accounts = { ada: { idToken: { team: "Platform", groups: ["admins"] } } };
  provider = await startOpenIdProvider({ clients: [client], accounts });
});
afterAll(() => provider.stop());

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 20, outboundAllow: ["127.0.0.0/8"] } });
  const newBrowser = () => openBrowser(v1.send);

  async function makeMethod(): Promise<string> {
    const Name = v1.unique("people");
    const Config = { ...oidcConfig(provider), AllowedRedirectURIs: [CALLBACK] };
    expect((await v1.put("/acl/auth-method", { Name, Type: "oidc", MaxTokenTTL: "1h", Config })).status).toBe(200);
    await v1.put("/acl/binding-rule", { AuthMethod: Name, BindType: "service", BindName: "web" });
    return Name;
  }

  /** Goes to the provider and comes back with what the callback's page posts. */
  async function visit(browser: ReturnType<typeof newBrowser>, AuthMethod: string, ReturnTo = "/ui/tags?x=1") {
    const begun = await browser.send("POST", "/ui/session/oidc/start", { AuthMethod, ReturnTo });
    expect(begun.status, begun.text).toBe(200);
    expect(String(begun.headers["set-cookie"])).toMatch(
      /^tessera-oidc=[\w-]+; Path=\/ui; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const { code, state } = await userAgent(provider, { account: "ada" })(String(begun.body.AuthURL));
    return { Code: String(code), State: String(state) };
  }

  test("somebody who comes back from the provider is signed in, and led to where it began", async () => {
    const AuthMethod = await makeMethod();
    const browser = newBrowser();
    expect((await browser.send("GET", "/ui/session")).body.Methods).toContainEqual(
      expect.objectContaining({ Name: AuthMethod, Type: "oidc" }),
    );
    const back = await visit(browser, AuthMethod);
    const finished = await browser.send("POST", "/ui/session/oidc/finish", back);
    expect(finished.body).toMatchObject({
      SignedIn: true,
      ReturnTo: "/ui/tags?x=1",
      Session: { MadeByLogin: true },
      Token: { AuthMethod },
    });
    expect([...browser.cookies.keys()]).toEqual(["tessera-console"]);
    const path = `/acl/token/${finished.body.Token.AccessorID}`;
    expect((await v1.get(path)).status).toBe(200);
    await browser.send("DELETE", "/ui/session");
    expect((await v1.get(path)).status).toBe(404);
  });

  test("what one browser began no other one finishes, nobody twice, and nobody after ten minutes", async () => {
    const AuthMethod = await makeMethod();
    const [attacker, victim] = [newBrowser(), newBrowser()];
    const finish = (browser: typeof victim, back: object) => browser.send("POST", "/ui/session/oidc/finish", back);
    const theirs = await visit(attacker, AuthMethod);
    const none = await finish(victim, theirs);
    expect([none.status, none.text]).toEqual([
      403,
      expect.stringContaining("was started in another browser or has expired"),
    ]);
    await visit(victim, AuthMethod);
    expect((await finish(victim, theirs)).status).toBe(403);
    expect([...victim.cookies.keys()]).toEqual([]);
    const kept = new Map(attacker.cookies);
    expect((await finish(attacker, theirs)).status).toBe(200);
    for (const [name, value] of kept) attacker.cookies.set(name, value);
    expect((await finish(attacker, theirs)).status).toBe(403);
    const late = await visit(victim, AuthMethod);
    v1.setNow(Date.now() + 11 * 60_000);
    expect((await finish(victim, late)).status).toBe(403);
    v1.setNow(undefined);
  });

  test("a state cookie is no session, and a session no state", async () => {
    const browser = newBrowser();
    await visit(browser, await makeMethod());
    browser.cookies.set("tessera-console", browser.cookies.get("tessera-oidc") ?? "");
    expect((await browser.send("GET", "/api/v2/account/details")).status).toBe(401);
    await browser.signIn(MANAGEMENT);
    browser.cookies.set("tessera-oidc", browser.cookies.get("tessera-console") ?? "");
    expect((await browser.send("POST", "/ui/session/oidc/finish", { State: "s", Code: "c" })).status).toBe(403);
  });

  test("wrong tokens are refused in one text, and too many of an address are not listened to", async () => {
    for (const secret of [NOBODY, "anonymous", "allow", "nonsense", "<hidden>"]) {
      const answer = await newBrowser().signIn(secret);
      expect([answer.status, answer.text]).toEqual([403, "Invalid or expired token"]);
    }
    for (let count = 0; count < 40; count++) await newBrowser().signIn(NOBODY);
    const late = await newBrowser().signIn(MANAGEMENT);
    expect([late.status, late.text]).toEqual([429, expect.stringContaining("Too many unknown tokens")]);
  });

  test("what cannot be a sign-in is refused", async () => {
    const browser = newBrowser();
    for (const body of [
      {},
      [],
      { SecretID: 7 },
      { SecretID: "a", AuthMethod: "b" },
      { AuthMethod: "m", Namespace: "*" },
    ])
      expect([body, (await browser.send("POST", "/ui/session", body)).status]).toEqual([body, 400]);
    const text = { "content-type": "text/plain" };
    expect((await browser.send("POST", "/ui/session", {}, text)).status).toBe(400);
    const large = await browser.send("POST", "/ui/session", { SecretID: "x".repeat(100_000) });
    expect([large.status, large.text]).toEqual([413, "The body is larger than 64 KiB\n"]);
  });
});

test("a browser is led back to an address of the console and to no other", () => {
  const base = "/tools/ui/";
  expect(returnPath("tags?x=1#a", base)).toBe("/tools/ui/tags?x=1#a");
  expect(returnPath("/tools/ui/tags", base)).toBe("/tools/ui/tags");
  for (const asked of [
    "",
    "/",
    "/v1/acl/tokens",
    "//evil.example/tools/ui/",
    "\\\\evil.example/tools/ui/",
    "https://evil.example/tools/ui/",
    "javascript:alert(1)",
    "../v1",
    "/tools/ui/../../v1",
    "/tools/uix",
    `tags?${"x".repeat(3000)}`,
  ]) {
    expect([asked, returnPath(asked, base)]).toEqual([asked, base]);
  }
});

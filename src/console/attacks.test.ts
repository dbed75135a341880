/**
 * Tests attacks against the console from a browser: framing it in a foreign page, planting a session in a victim's
 * browser, filling tables.
 */
import { expect, test } from "vitest";
import { OF_PAGE, openBrowser } from "../../test/support/console.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 20 } });
  const newBrowser = () => openBrowser(v1.send);
  const count = async () => (await v1.db.sql.selectFrom("console_sessions").select("id").execute()).length;

  test("no answer under /ui may be framed, guessed at or kept by others, and none is given to a page of another origin", async () => {
    const browser = newBrowser();
    const answers = [
      await browser.signIn(MANAGEMENT),
      await browser.signIn(NOBODY),
      await browser.send("GET", "/ui/session"),
      await browser.send("GET", "/ui/"),
      await browser.send("GET", "/ui/assets/none.js"),
      await browser.send("GET", "/v1/acl/token/self"),
      await browser.send("GET", "/api/v2/account/details"),
      await browser.send("DELETE", "/ui/session"),
    ];
    for (const { headers } of answers) {
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'($|;.* frame-ancestors 'none';)/);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
    const asked = { origin: "https://evil.example", "access-control-request-headers": "x-tessera-console" };
    for (const url of ["/ui/session", "/v1/acl/policy", "/api/v2/account/details"]) {
      const preflight = await v1.send({
        method: "OPTIONS",
        url,
        headers: { ...asked, "access-control-request-method": "POST" },
      });
      expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  test("who is given the cookie of another gets a session of their own when they sign in, and the other's ends", async () => {
    const attacker = newBrowser();
    const theirs = await v1.token({});
    await attacker.signIn(theirs.secret);
    const victim = newBrowser();
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    const before = new Map(victim.cookies);
    await victim.signIn(MANAGEMENT);
    expect([...victim.cookies.values()]).not.toEqual([...before.values()]);
    expect((await victim.send("GET", "/ui/session")).body.Token.Management).toBe(true);
    expect((await attacker.send("GET", "/ui/session")).body.SignedIn).toBe(false);
  });

  test("what another program of the host puts beside the cookie changes nothing, and a second one of this server nothing good", async () => {
    const [browser, other] = [newBrowser(), newBrowser()];
    await browser.signIn(MANAGEMENT);
    await other.signIn(MANAGEMENT);
    const [[name = "", own = ""] = [], [, its = ""] = []] = [[...browser.cookies][0], [...other.cookies][0]];
    const told = async (...values: string[]) => {
      const cookie = values.map((value) => `${name}=${value}`).join("; ");
      return (await v1.send({ method: "GET", url: "/ui/session", headers: { ...OF_PAGE, cookie } })).body.SignedIn;
    };
    expect(await told("evil", own)).toBe(true);
    expect(await told(own, `${own}x`, "x".repeat(600))).toBe(true);
    expect(await told(...Array<string>(8).fill("evil"), own)).toBe(false);
    expect(await told(its, own)).toBe(false);
    expect(await told("evil")).toBe(false);
  });

  test("what cannot sign in leaves nothing behind, however often it is tried", async () => {
    await newBrowser().signIn(MANAGEMENT);
    const before = await count();
    for (let tries = 0; tries < 40; tries += 1) {
      const browser = newBrowser();
      const answer = await browser.signIn(NOBODY);
      expect([403, 429]).toContain(answer.status);
      expect(browser.cookies.size).toBe(0);
      const started = await browser.send("POST", "/ui/session/oidc/start", { AuthMethod: "none", ReturnTo: "/ui/" });
      expect(started.status).toBeGreaterThanOrEqual(400);
      expect(browser.cookies.size).toBe(0);
    }
    expect(await count()).toBe(before);
  });
});

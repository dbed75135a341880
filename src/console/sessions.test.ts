/** Sessions of the console: who gets one, for which requests it counts, and when it ends. */
import { afterEach, expect, test } from "vitest";
import { recordsOfObject } from "../../test/support/audit.ts";
import { openBrowser } from "../../test/support/console.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { createSigningKey } from "../../test/support/key-server.ts";
import { bearer, makeMethod, makeRule } from "../../test/support/login.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../test/support/v1.ts";
import { recordActivity } from "../acl/sessions/activity.ts";
import { overdueSessions } from "../acl/sessions/expired.ts";
import { startRemoval } from "../storage/operator/removal.ts";

const key = createSigningKey("k1");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 20 } });
  const newBrowser = () => openBrowser(v1.send);

  async function signedIn(secret = MANAGEMENT) {
    const browser = newBrowser();
    const answer = await browser.signIn(secret);
    expect(answer.status, answer.text).toBe(200);
    return browser;
  }

  afterEach(() => v1.setNow(undefined));

  const rows = async () => v1.db.sql.selectFrom("console_sessions").selectAll().execute();

  test("a new server says where its token lies, until somebody has signed in", async () => {
    const browser = newBrowser();
    const before = await browser.send("GET", "/ui/session");
    expect(before.body).toMatchObject({ SignedIn: false, FirstRun: true, Insecure: false, Methods: [] });
    expect(before.body.Where).toContain("management-token");
    await browser.signIn(MANAGEMENT);
    const after = await newBrowser().send("GET", "/ui/session");
    expect(after.body).toMatchObject({ SignedIn: false, FirstRun: false });
    expect(after.body.Where).toBeUndefined();
  });

  test("a token becomes a session that both families know, and whose secret no answer shows", async () => {
    const browser = newBrowser();
    const begun = await browser.signIn(MANAGEMENT);
    expect(begun.body).toMatchObject({
      SignedIn: true,
      Session: { MadeByLogin: false },
      Token: { Management: true, Namespace: "default", Partition: "default" },
    });
    const cookie = String(begun.headers["set-cookie"]);
    expect(cookie).toMatch(/^tessera-console=[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/);
    for (const url of ["/v1/acl/token/self", "/api/v2/account/details", "/v1/acl/tokens", "/ui/session"]) {
      const answer = await browser.send("GET", url);
      expect([url, answer.status]).toEqual([url, 200]);
      expect(answer.text).not.toContain(MANAGEMENT);
      expect(cookie).not.toContain(MANAGEMENT);
    }
    expect((await browser.send("GET", "/v1/acl/token/self")).body.SecretID).toBe("<hidden>");
    const made = await browser.send("PUT", "/v1/acl/token", { Description: "made in the console" });
    expect(made.body.SecretID).toMatch(/^[0-9a-f-]{36}$/);
    const changed = await browser.send("PUT", `/v1/acl/token/${made.body.AccessorID}`, { Description: "changed" });
    expect([changed.status, changed.body.SecretID]).toEqual([200, "<hidden>"]);
    expect((await v1.get("/acl/token/self")).body.SecretID).toBe(MANAGEMENT);
    expect((await v1.get(`/acl/token/${made.body.AccessorID}`)).body.SecretID).toBe(made.body.SecretID);
  });

  test("a session counts only for what the console's own page sends", async () => {
    const browser = await signedIn();
    const count = async (headers: Record<string, string>) =>
      (await browser.send("GET", "/api/v2/account/details", undefined, headers)).status;
    expect(await count({})).toBe(200);
    expect(await count({ "x-tessera-console": "live" })).toBe(200);
    for (const headers of [
      { "x-tessera-console": "" },
      { "x-tessera-console": "2" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "https://evil.example" },
      { origin: "http://localhost:3000" },
      { origin: "null" },
    ]) {
      expect([headers, await count(headers)]).toEqual([headers, 401]);
      const anonymous = await browser.send("GET", "/v1/acl/tokens", undefined, headers);
      expect([anonymous.status, anonymous.text]).toEqual([403, expect.stringContaining("anonymous token")]);
      const written = await browser.send("PUT", "/v1/acl/policy", { Name: v1.unique("p") }, headers);
      expect([headers, written.status]).toEqual([headers, 403]);
    }
    expect((await v1.send({ method: "GET", url: "/api/v2/account/details" })).status).toBe(401);
  });

  test("a page that shows somebody else as signed in does nothing by the session, and reads nothing", async () => {
    const browser = await signedIn();
    const other = await v1.token({ Policies: [{ Name: "global-management" }] });
    const self = (await v1.get("/acl/token/self")).body.AccessorID as string;
    const as = (accessor: string) => ({ "x-tessera-as": accessor });
    const body = { Name: v1.unique("p"), Rules: "" };
    for (const accessor of [other.accessor, "", "*", `${self}x`, `${self}, ${self}`]) {
      expect((await browser.send("PUT", "/v1/acl/policy", body, as(accessor))).status).toBe(403);
      expect((await browser.send("GET", "/api/v2/account/details", undefined, as(accessor))).status).toBe(401);
    }
    expect((await browser.send("PUT", "/v1/acl/policy", body, as(self))).status).toBe(200);
    // A page may always ask for its identity.
    const state = await browser.send("GET", "/ui/session");
    expect(state.body.Token.AccessorID).toBe(self);
  });

  test("nobody is signed in or out by a page of others", async () => {
    const browser = await signedIn();
    for (const headers of [
      { "x-tessera-console": "" },
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
    ]) {
      const victim = newBrowser();
      for (const [method, url] of [
        ["POST", "/ui/session"],
        ["POST", "/ui/session/oidc/start"],
        ["POST", "/ui/session/oidc/finish"],
        ["DELETE", "/ui/session"],
      ] as const) {
        const by = method === "DELETE" ? browser : victim;
        const answer = await by.send(method, url, { SecretID: MANAGEMENT, State: "s", Code: "c" }, headers);
        expect([url, headers, answer.status, answer.headers["set-cookie"]]).toEqual([url, headers, 403, undefined]);
      }
      expect(victim.cookies.size).toBe(0);
    }
    expect((await browser.send("GET", "/ui/session")).body.SignedIn).toBe(true);
  });

  test("a token of the request wins over the session", async () => {
    const browser = await signedIn();
    const { secret } = await v1.token();
    for (const header of ["x-consul-token", "x-service-token"]) {
      const self = await browser.send("GET", "/v1/acl/token/self", undefined, { [header]: secret });
      expect(self.body.SecretID).toBe(secret);
    }
    const unknown = await browser.send("GET", "/api/v2/account/details", undefined, {
      authorization: `Bearer ${NOBODY}`,
    });
    expect(unknown.status).toBe(401);
  });

  test("what is done by a session is done by its token, and put on record so", async () => {
    // More than a minute after any other sign-in of this token.
    v1.setNow(Date.now() + 10 * MINUTE);
    const browser = newBrowser();
    const begun = await browser.signIn(MANAGEMENT);
    const { ID } = begun.body.Session;
    const name = v1.unique("policy");
    expect((await browser.send("PUT", "/v1/acl/policy", { Name: name })).status).toBe(200);
    await browser.send("DELETE", "/ui/session");
    const records = await v1.db.sql.selectFrom("audit_records").selectAll().execute();
    const written = records.find((record) => record.name === name);
    expect(written?.accessor_id).toBe(begun.body.Token.AccessorID);
    const ofSession = await recordsOfObject(v1.db, ID);
    expect(ofSession.map(({ kind, action, accessor_id }) => [kind, action, accessor_id])).toEqual([
      ["session", "begin", begun.body.Token.AccessorID],
      ["session", "end", begun.body.Token.AccessorID],
    ]);
  });

  test("after 30 minutes without anything that somebody does it is over, whatever the page does by itself", async () => {
    const start = Date.now() + HOUR;
    v1.setNow(start);
    const browser = await signedIn();
    const live = { "x-tessera-console": "live" };
    v1.setNow(start + 29 * MINUTE);
    expect((await browser.send("GET", "/api/v2/account/details", undefined, live)).status).toBe(200);
    v1.setNow(start + 30 * MINUTE);
    expect((await browser.send("GET", "/api/v2/account/details", undefined, live)).status).toBe(401);
    expect((await browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
    expect((await browser.send("GET", "/ui/session")).body.SignedIn).toBe(false);
    const other = await signedIn();
    for (let minute = 0; minute <= 80; minute += 20) {
      v1.setNow(start + 30 * MINUTE + minute * MINUTE);
      expect((await other.send("GET", "/api/v2/account/details")).status).toBe(200);
    }
  });

  test("after 12 hours it is over, whatever somebody does", async () => {
    const start = Date.now() + 20 * HOUR;
    v1.setNow(start);
    const browser = await signedIn();
    for (let minute = 0; minute < 720; minute += 20) {
      v1.setNow(start + minute * MINUTE);
      expect([minute, (await browser.send("GET", "/api/v2/account/details")).status]).toEqual([minute, 200]);
    }
    v1.setNow(start + 720 * MINUTE);
    expect((await browser.send("GET", "/api/v2/account/details")).status).toBe(401);
  });

  test("a use is written at most once a minute, and what is over is removed and put on record", async () => {
    const start = Date.now() + 40 * HOUR;
    v1.setNow(start);
    const browser = newBrowser();
    const { ID } = (await browser.signIn(MANAGEMENT)).body.Session;
    const activeAt = async () => (await rows()).find(({ id }) => id === ID)?.active_at;
    for (const [after, written] of [
      [30_000, start],
      [90_000, start + 90_000],
      [100_000, start + 90_000],
    ] as const) {
      v1.setNow(start + after);
      await browser.send("GET", "/api/v2/account/details");
      await recordActivity(v1.db, v1.activity);
      expect([after, await activeAt()]).toEqual([after, written]);
    }
    v1.setNow(start + HOUR);
    const removal = overdueSessions(v1.db, v1.now);
    const failures: unknown[] = [];
    const running = startRemoval(v1.db, removal, (error) => failures.push(error));
    await expect.poll(async () => failures.length > 0 || (await rows()).length === 0).toBe(true);
    await running.stop();
    expect(failures).toEqual([]);
    const records = await recordsOfObject(v1.db, ID);
    expect(records.map(({ action, accessor_id }) => [action, accessor_id]).at(-1)).toEqual(["expire", ""]);
  });

  test("it ends with its token, from the same answer on", async () => {
    const { accessor, secret } = await v1.token();
    const browser = await signedIn(secret);
    expect((await browser.send("GET", "/v1/acl/token/self")).status).toBe(200);
    await v1.delete(`/acl/token/${accessor}`);
    expect((await browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
    expect((await rows()).filter((row) => row.accessor_id === accessor)).toEqual([]);
  });

  test("it ends with the secret that it was begun by, when its token gets another", async () => {
    const { accessor, secret } = await v1.token();
    const [one, other] = [await signedIn(secret), await signedIn(secret)];
    expect((await v1.post(`/acl/token/${accessor}/rotate`, { Overlap: "1h" })).status).toBe(200);
    expect((await one.send("GET", "/v1/acl/token/self")).body.SecretID).toBe("<hidden>");
    expect((await v1.post(`/acl/token/${accessor}/rotate`, {})).status).toBe(200);
    for (const browser of [one, other])
      expect((await browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
  });

  test("a login makes a token for it, which ends with it, and which ends with its method", async () => {
    const AuthMethod = v1.unique("m");
    await makeMethod(v1, key, { Name: AuthMethod, DisplayName: "Machines" });
    await makeRule(v1, { AuthMethod });
    const browser = newBrowser();
    expect((await browser.send("GET", "/ui/session")).body.Methods).toContainEqual(
      expect.objectContaining({ Name: AuthMethod, DisplayName: "Machines", Type: "jwt", Namespace: "default" }),
    );
    const logIn = () => browser.send("POST", "/ui/session", { AuthMethod, BearerToken: bearer(key) });
    const begun = await logIn();
    expect(begun.body).toMatchObject({ Session: { MadeByLogin: true }, Token: { AuthMethod, Management: false } });
    const path = `/acl/token/${begun.body.Token.AccessorID}`;
    expect((await v1.get(path)).status).toBe(200);
    expect((await browser.send("DELETE", "/ui/session")).body.SignedIn).toBe(false);
    expect([browser.cookies.size, (await v1.get(path)).status]).toEqual([0, 404]);
    await logIn();
    await v1.delete(`/acl/auth-method/${AuthMethod}`);
    expect((await browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
    const bad = await newBrowser().send("POST", "/ui/session", { AuthMethod: "gone", BearerToken: "x" });
    expect([bad.status, bad.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  test("signing out leaves a token that no login of the session made, and ends no other window's session", async () => {
    const { accessor, secret } = await v1.token();
    const [one, other] = [await signedIn(secret), await signedIn(secret)];
    await one.send("DELETE", "/ui/session");
    expect((await one.send("GET", "/v1/acl/token/self")).status).toBe(403);
    expect((await other.send("GET", "/v1/acl/token/self")).body.AccessorID).toBe(accessor);
    expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
  });

  test("who signs in again ends the session that the browser has had", async () => {
    const { accessor, secret } = await v1.token();
    const browser = await signedIn(secret);
    await browser.signIn(MANAGEMENT);
    expect((await rows()).filter((row) => row.accessor_id === accessor)).toEqual([]);
  });

  test("a cookie that was altered, cut, doubled or made elsewhere opens nothing", async () => {
    const browser = await signedIn();
    const [[name, value] = ["", ""]] = [...browser.cookies];
    const other = await signedIn();
    const [, theirs] = [...other.cookies][0] ?? [];
    const altered = value.slice(0, 20) + (value[20] === "A" ? "B" : "A") + value.slice(21);
    for (const cookie of [
      `${name}=${altered}`,
      `${name}=${value.slice(0, -4)}`,
      `${name}=${value}AAAA`,
      `${name}=`,
      `${name}=${"A".repeat(5000)}`,
      `${name}=${value}; ${name}=${theirs}`,
      `${name}=%00`,
    ]) {
      const answer = await browser.send("GET", "/api/v2/account/details", undefined, { cookie });
      expect([cookie, answer.status]).toEqual([cookie, 401]);
      expect((await browser.send("GET", "/ui/session", undefined, { cookie })).body.SignedIn).toBe(false);
    }
  });
});

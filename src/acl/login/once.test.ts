/** `JWTReplay: once`: a token logs in once, wherever it is shown again. */
import { describe, expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1, type V1 } from "../../../test/support/v1.ts";
import { newHolder, takeLease, type Lease } from "../../storage/feed/lease.ts";
import { oldNotes } from "./old-notes.ts";

const key = createSigningKey("k1");
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY_MS = 86_400_000;

async function makeOnce(v1: V1, content: object = {}): Promise<string> {
  const name = v1.unique("once");
  await makeMethod(v1, key, { Name: name, Config: { JWTReplay: "once" }, ...content });
  await makeRule(v1, { AuthMethod: name, Selector: 'value.team != "nothing"' });
  return name;
}

const USED = 'the token was already used (JWTReplay "once")';

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const lease = async (): Promise<Lease> =>
    (await takeLease(v1.db, v1.unique("notes"), newHolder())) ?? expect.fail("another holds it");

  test("a token logs in once, of several at the same time too", async () => {
    const name = await makeOnce(v1);
    const token = bearer(key, { jti: "1", sub: "a" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => login(v1, name, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, text } of answers) if (status !== 200) expect([status, text]).toEqual([403, USED]);
    expect((await login(v1, name, bearer(key, { jti: "2", sub: "a" }))).status).toBe(200);
  });

  test("it is its jti that is used, of its issuer and at its method", async () => {
    const [name, other] = [await makeOnce(v1), await makeOnce(v1)];
    const token = (claims: object) => bearer(key, { jti: "1", iss: "https://idp.test", ...claims });
    expect((await login(v1, name, token({}))).status).toBe(200);
    expect((await login(v1, name, token({ more: "x" }))).text).toBe(USED);
    expect((await login(v1, name, token({ iss: "https://other.test" }))).status).toBe(200);
    expect((await login(v1, other, token({}))).status).toBe(200);
  });

  test("a login that gives nothing uses up nothing", async () => {
    const name = await makeOnce(v1, { NamespaceRules: [{ Selector: "value.team == later", BindNamespace: "later" }] });
    const token = bearer(key, { jti: "1", team: "later" });
    expect((await login(v1, name, token)).status).toBe(403);
    expect((await v1.put("/namespace", { Name: "later" })).status).toBe(200);
    expect((await login(v1, name, token)).status).toBe(200);
    expect((await login(v1, name, token)).text).toBe(USED);
  });

  test("a token without a jti, or one that lives too long to be remembered, is refused", async () => {
    const name = await makeOnce(v1);
    const exp = Math.floor(Date.now() / 1000) + 25 * 3600;
    for (const jti of [undefined, "", 7, ["1"]]) {
      expect((await login(v1, name, bearer(key, { jti }))).text).toMatch(/^the token has no jti/);
    }
    expect((await login(v1, name, bearer(key, { jti: "1", exp }))).text).toBe(
      'the token is valid for more than 24 h. JWTReplay "once" does not allow this',
    );
  });

  test("incident 63: a token that was used logs in no second time by a clock that is set back by less than a day", async () => {
    const name = await makeOnce(v1);
    const end = NOW + 600_000;
    v1.setNow(NOW);
    onTestFinished(() => v1.setNow(undefined));
    const token = bearer(key, { jti: "remembered", exp: end / 1000 }, NOW);
    expect((await login(v1, name, token)).status).toBe(200);
    const rows = () => v1.db.sql.selectFrom("used_login_states").selectAll().execute();
    expect((await rows()).every(({ id }) => id.length < 30)).toBe(true);
    const used = (await rows()).length;
    const removeAt = async (now: number) => {
      v1.setNow(now);
      for (const job of await oldNotes(v1.db, v1.now).jobs()) await job.remove(await lease(), 50);
    };
    await removeAt(end + DAY_MS);
    v1.setNow(NOW + 1000);
    expect((await login(v1, name, token)).text).toBe(USED);
    expect(await rows()).toHaveLength(used);
    await removeAt(end + DAY_MS + 3_600_000);
    expect((await rows()).length).toBeLessThan(used);
  });

  test("a method that does not ask for it takes a token as often as it is shown", async () => {
    const name = v1.unique("often");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name });
    const token = bearer(key, { jti: "1" });
    for (let i = 0; i < 3; i++) expect((await login(v1, name, token)).status).toBe(200);
  });

  describe("the configuration", () => {
    test("knows once, and nothing else", async () => {
      const put = (JWTReplay: unknown) =>
        v1.put("/acl/auth-method", {
          Name: v1.unique("m"),
          Type: "jwt",
          Config: { JWTValidationPubKeys: [key.publicKey], JWTReplay },
        });
      expect((await put("once")).status).toBe(200);
      expect((await put("")).status).toBe(200);
      const refused = await put("twice");
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("'JWTReplay' must be \"once\" or unset");
    });
  });
});

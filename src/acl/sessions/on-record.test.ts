/** Incident 71: writes that no right asks for. */
import { beforeEach, expect, test } from "vitest";
import { openBrowser } from "../../../test/support/console.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { MOST_OF_TOKEN } from "./service.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const MINUTE = 60_000;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));

  const actionsOf = async (accessor: string) => {
    const records = v1.db.sql.selectFrom("audit_records").select("action").where("kind", "=", "session");
    return (await records.where("name", "=", accessor).orderBy("seq").execute()).map(({ action }) => action);
  };
  async function signIn(secret: string, remoteAddress = "127.0.0.1") {
    const browser = openBrowser((asked) => v1.send({ ...asked, remoteAddress }));
    expect((await browser.signIn(secret)).status).toBe(200);
    return browser;
  }

  test("incident 71: a token that signs in again and again within a minute is one record, and so are the sessions that it displaces", async () => {
    const { accessor, secret } = await v1.token();
    for (let count = 0; count < MOST_OF_TOKEN + 5; count++) await signIn(secret);
    expect(await actionsOf(accessor)).toEqual(["begin", "displace"]);
    v1.setNow(NOW + MINUTE - 1);
    await signIn(secret);
    expect(await actionsOf(accessor)).toEqual(["begin", "displace"]);
    v1.setNow(NOW + MINUTE);
    await signIn(secret);
    expect(await actionsOf(accessor)).toEqual(["begin", "displace", "displace", "begin"]);
  });

  test("incident 71: signing in and out in turn is one record of each; another network's is its own, and one ended by others too", async () => {
    const { accessor, secret } = await v1.token();
    for (let count = 0; count < 3; count++) await (await signIn(secret)).send("DELETE", "/ui/session");
    for (let count = 0; count < 3; count++) {
      const browser = await signIn(secret);
      const [{ ID }] = (await browser.send("GET", "/v1/acl/sessions")).body;
      expect((await v1.delete(`/acl/session/${ID}`, secret)).status).toBe(200);
    }
    expect(await actionsOf(accessor)).toEqual(["begin", "end"]);
    const browser = await signIn(secret, "192.0.2.7");
    expect(await actionsOf(accessor)).toEqual(["begin", "end", "begin"]);
    const [{ ID }] = (await browser.send("GET", "/v1/acl/sessions")).body;
    expect((await v1.delete(`/acl/session/${ID}`)).status).toBe(200);
    expect(await actionsOf(accessor)).toEqual(["begin", "end", "begin", "end"]);
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginLimitPerIdentity: 2 } });

  test("incident 71: sign-ins of one token are limited as logins of one identity are, and those of others go on", async () => {
    const [one, other] = [await v1.token(), await v1.token()];
    const signIn = (secret: string) => openBrowser(v1.send).signIn(secret);
    expect([(await signIn(one.secret)).status, (await signIn(one.secret)).status]).toEqual([200, 200]);
    const refused = await signIn(one.secret);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining("Too many sign-ins by this token")]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await signIn(other.secret)).status).toBe(200);
  });
});

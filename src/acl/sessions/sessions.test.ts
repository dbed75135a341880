/** Sessions as `/v1` lists and ends them. */
import { expect, test } from "vitest";
import { openBrowser } from "../../../test/support/console.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { sized } from "../../../test/support/length.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { newUuid } from "../../rights/uuid.ts";
import { MOST_LISTED, MOST_OF_TOKEN } from "./service.ts";
import { insertSession } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  async function signedIn(secret: string) {
    const browser = openBrowser(v1.send);
    const answer = await browser.signIn(secret);
    expect(answer.status, answer.text).toBe(200);
    return { browser, id: String(answer.body.Session.ID) };
  }

  const ids = async (secret?: string, query = "") =>
    (await v1.get(`/acl/sessions${query}`, secret)).body.map(({ ID }: { ID: string }) => ID);

  test("one's own are listed without any right, and all of a namespace to who may read tokens there", async () => {
    const one = await v1.token();
    const other = await v1.token();
    const [first, second] = [await signedIn(one.secret), await signedIn(other.secret)];
    expect(await ids(one.secret)).toEqual([first.id]);
    expect(await ids()).toEqual(expect.arrayContaining([first.id, second.id]));
    expect(await ids(await v1.tokenWith('acl = "read"'))).toEqual(expect.arrayContaining([first.id, second.id]));
    expect((await v1.get("/acl/sessions", "")).body).toEqual([]);
    const [shown] = (await first.browser.send("GET", "/v1/acl/sessions")).body;
    expect(shown).toMatchObject({
      ID: first.id,
      AccessorID: one.accessor,
      Current: true,
      MadeByLogin: false,
      Address: "127.0.0.1",
      Namespace: "default",
    });
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    expect(await ids(undefined, `?ns=${namespace}`)).toEqual([]);
  });

  test("of more than 1,000 those are listed that were used last, and one's own whenever that was", async () => {
    const [reader, other] = [await v1.token({ Policies: [{ Name: "global-management" }] }), await v1.token()];
    const { browser, id } = await signedIn(reader.secret);
    const now = Date.now();
    const later = Array.from({ length: MOST_LISTED + 5 }, (_none, at) => ({
      id: newUuid(),
      accessorId: other.accessor,
      secretLookup: "",
      madeByLogin: false,
      address: "192.0.2.1",
      userAgent: "",
      createdAt: now,
      activeAt: now + 60_000 + at,
    }));
    await v1.past({ kind: "root" }, (tx) => {
      for (const session of later) insertSession(tx, session);
      return Promise.resolve();
    });
    const { body } = await browser.send("GET", "/v1/acl/sessions");
    const listed = body.map(({ ID }: { ID: string }) => ID);
    expect(listed.length).toBe(MOST_LISTED);
    const newest = later.map((session) => session.id).reverse();
    expect(listed).toEqual([...newest.slice(0, MOST_LISTED - 1), id]);
    await v1.delete(`/acl/token/${other.accessor}`);
  });

  test("one's own are ended without any right, and others' by who may write tokens; it counts at once", async () => {
    const one = await v1.token();
    const other = await v1.token();
    const [mine, theirs, third] = [
      await signedIn(one.secret),
      await signedIn(other.secret),
      await signedIn(other.secret),
    ];
    const end = (id: string, secret?: string, query = "") => v1.delete(`/acl/session/${id}${query}`, secret);
    expect((await end(theirs.id, one.secret)).status).toBe(403);
    expect((await end(NOBODY, one.secret)).status).toBe(403);
    expect((await end(theirs.id, await v1.tokenWith('acl = "read"'))).status).toBe(403);
    expect((await end(NOBODY)).status).toBe(404);
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    expect((await end(theirs.id, undefined, `?ns=${namespace}`)).status).toBe(404);
    expect((await end(mine.id, one.secret)).text).toBe("true");
    expect((await mine.browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
    expect((await end(theirs.id)).text).toBe("true");
    expect((await theirs.browser.send("GET", "/v1/acl/token/self")).status).toBe(403);
    expect((await third.browser.send("GET", "/v1/acl/token/self")).status).toBe(200);
    expect((await v1.get("/acl/token/self", other.secret)).status).toBe(200);
  });

  test("a wait by a session ends when that is ended", async () => {
    const { secret } = await v1.token();
    const { browser, id } = await signedIn(secret);
    const { headers } = await browser.send("GET", "/v1/acl/token/self");
    const waiting = browser.send("GET", `/v1/acl/token/self?index=${String(headers["x-consul-index"])}&wait=60s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await v1.delete(`/acl/session/${id}`);
    expect((await waiting).text).toBe("ACL not found");
  });

  test(
    "however often, and how many times at once, somebody signs in, a token has no more than 50",
    { timeout: 300_000 },
    async () => {
      const { accessor, secret } = await v1.token();
      const first = await signedIn(secret);
      const times = sized(120, 10_000);
      for (let count = 1; count < times; count++) await signedIn(secret);
      await Promise.all(Array.from({ length: 5 }, () => signedIn(secret)));
      const rows = await v1.db.sql
        .selectFrom("console_sessions")
        .select("id")
        .where("accessor_id", "=", accessor)
        .execute();
      expect(rows).toHaveLength(MOST_OF_TOKEN);
      expect((await first.browser.send("GET", "/v1/acl/token/self")).text).toBe("ACL not found");
      expect(await ids(secret)).toHaveLength(MOST_OF_TOKEN);
    },
  );
});

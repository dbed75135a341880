/** Incident 71: what a caller that needs no right puts on record by going in and out, counted. */
import { expect, test } from "vitest";
import { openBrowser } from "../../../test/support/console.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const TURNS = 50;
/** Bytes of one stored record by decision 34; and of the login with the largest `Meta`, and its logout. */
const MOST_BYTES = { plain: 1800, withMeta: 26_000 };
const key = createSigningKey("k1");

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** How often each action was put on record since, by kind; and the bytes of the longest of these records. */
  async function recordsSince(seq: number) {
    const rows = await v1.db.sql
      .selectFrom("audit_records")
      .selectAll()
      .where("chain", "=", "partition/default")
      .where("seq", ">", seq)
      .execute();
    const counts: Record<string, number> = {};
    for (const { kind, action } of rows) counts[`${kind} ${action}`] = (counts[`${kind} ${action}`] ?? 0) + 1;
    return { counts, bytes: Math.max(0, ...rows.map((row) => Object.values(row).join("").length)) };
  }
  async function lastSeq(): Promise<number> {
    const last = v1.db.sql.selectFrom("audit_records").select("seq").where("chain", "=", "partition/default");
    return (await last.orderBy("seq", "desc").limit(1).executeTakeFirst())?.seq ?? 0;
  }
  async function method(): Promise<string> {
    const name = v1.unique("m");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name });
    return name;
  }

  test("incident 71: fifty sign-ins and sign-outs of a token in a minute are one record of each", async () => {
    v1.setNow(NOW);
    const { secret } = await v1.token();
    const before = await lastSeq();
    for (let turn = 0; turn < TURNS; turn++) {
      const browser = openBrowser(v1.send);
      expect((await browser.signIn(secret)).status).toBe(200);
      expect((await browser.send("DELETE", "/ui/session")).status).toBe(200);
    }
    const { counts, bytes } = await recordsSince(before);
    expect(counts).toEqual({ "session begin": 1, "session end": 1 });
    expect(bytes).toBeLessThan(MOST_BYTES.plain);
  });

  test("incident 71: fifty logins and logouts are one record of each, and nobody logs out more often than in", async () => {
    v1.setNow(undefined);
    const name = await method();
    const before = await lastSeq();
    let secret = "";
    for (let turn = 0; turn < TURNS; turn++) {
      secret = String((await login(v1, name, bearer(key))).body.SecretID);
      expect((await v1.post("/acl/logout", undefined, secret)).status).toBe(200);
      expect((await v1.post("/acl/logout", undefined, secret)).status).toBe(403);
    }
    const { counts, bytes } = await recordsSince(before);
    expect(counts).toEqual({ "token login": TURNS, "token logout": TURNS });
    expect(bytes).toBeLessThan(MOST_BYTES.plain);
  });

  test("incident 71: what a client says of a login makes its records no longer than said, however it is escaped", async () => {
    v1.setNow(undefined);
    const name = await method();
    const before = await lastSeq();
    for (const text of ["x".repeat(8180), '"'.repeat(4090), "<".repeat(1363)]) {
      const { SecretID } = (await login(v1, name, bearer(key), { Meta: { a: text } })).body;
      expect((await v1.post("/acl/logout", undefined, String(SecretID))).status).toBe(200);
    }
    const { counts, bytes } = await recordsSince(before);
    expect(counts).toEqual({ "token login": 3, "token logout": 3 });
    expect(bytes).toBeGreaterThan(2 * 8180);
    expect(bytes).toBeLessThan(MOST_BYTES.withMeta);
    expect((await login(v1, name, bearer(key), { Meta: { a: "<".repeat(1366) } })).status).toBe(400);
  });

  test("incident 71: fifty logins at the console that are signed out are four records each, of which two are the token's", async () => {
    v1.setNow(undefined);
    const name = await method();
    const before = await lastSeq();
    for (let turn = 0; turn < TURNS; turn++) {
      const browser = openBrowser(v1.send);
      const asked = { AuthMethod: name, BearerToken: bearer(key), Namespace: "default", Partition: "default" };
      const answer = await browser.send("POST", "/ui/session", asked);
      expect(answer.status, answer.text).toBe(200);
      expect((await browser.send("DELETE", "/ui/session")).status).toBe(200);
    }
    const { counts, bytes } = await recordsSince(before);
    expect(counts).toEqual({
      "token login": TURNS,
      "session begin": TURNS,
      "session end": TURNS,
      "token logout": TURNS,
    });
    expect(bytes).toBeLessThan(MOST_BYTES.plain);
  });
});

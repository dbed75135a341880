/** An auth method is deleted that made more than anybody would remove at once. */
import { beforeAll, describe, expect, test } from "vitest";
import { expireLease } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { sized } from "../../../test/support/length.ts";
import { idOf, loginIn, makeIn, makeMethodIn, makeNamespace, METHOD } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import type { Database } from "../../storage/database.ts";
import { openDatabase } from "../../storage/open.ts";
import { startDeletion, type BackgroundDeletion } from "./removal.ts";
import { listDeletedMethods } from "./store.ts";

/** As many as take a while to remove, several times over. */
const MANY = sized(
  { sqlite: { tokens: 6000, rules: 1500 }, postgres: { tokens: 4000, rules: 1000 } },
  { sqlite: { tokens: 20_000, rules: 5000 }, postgres: { tokens: 8000, rules: 2000 } },
);
/** Sizes when two nodes share the work. */
const SHARED = sized({ tokens: 2000, rules: 500 }, { tokens: 4000, rules: 1000 });
/** Number of objects that requests made, besides the copies. */
const REAL = 2;
const STOPS = 3;

forEachEngine((engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { tokens: TOKENS, rules: RULES } = MANY[engine];
  const errors: unknown[] = [];
  const start = (db: Database = v1.db): BackgroundDeletion =>
    startDeletion(db, { onProgress: () => undefined, onError: (error) => errors.push(error) });
  const left = async () => {
    const tokens = v1.db.sql.selectFrom("tokens").select(({ fn }) => fn.countAll<number>().as("count"));
    const rules = v1.db.sql.selectFrom("binding_rules").select(({ fn }) => fn.countAll<number>().as("count"));
    const of = await Promise.all([tokens.where("method_id", "!=", "").execute(), rules.execute()]);
    return of.map((rows) => Number(rows[0]?.count));
  };
  const isDone = async () => (await listDeletedMethods(v1.db)).length === 0;

  /** A method with this many tokens in two namespaces, and this many rules; it is deleted. */
  async function makeMany(tokens: number, rules: number): Promise<string> {
    await makeMethodIn(v1, {}, { NamespaceRules: [{ Selector: "value.team == b", BindNamespace: "b" }] });
    await makeIn(v1, {}, "binding-rule", {});
    const { SecretID: secret } = await loginIn(v1, {}, { team: "a" });
    await loginIn(v1, {}, { team: "b" });
    const { sql } = v1.db;
    const [a, b] = await sql.selectFrom("tokens").selectAll().where("auth_method", "=", METHOD).execute();
    const rule = await sql.selectFrom("binding_rules").selectAll().limit(1).executeTakeFirstOrThrow();
    const copies = Array.from({ length: tokens }, (_, at) => {
      const accessor = crypto.randomUUID();
      return { ...((at % 2 === 0 ? a : b) ?? expect.fail()), accessor_id: accessor, secret_lookup: accessor };
    });
    await v1.insert("tokens", copies);
    await v1.insert(
      "binding_rules",
      Array.from({ length: rules }, () => ({ ...rule, id: crypto.randomUUID() })),
    );
    expect((await v1.delete(`/acl/auth-method/${METHOD}`)).text).toBe("true");
    return secret;
  }

  beforeAll(() => makeNamespace(v1, { namespace: "b" }));

  test("others read and write on while it is emptied, and a stop in the middle, again and again, loses nothing", async () => {
    const secret = await makeMany(TOKENS, RULES);
    expect(await left()).toEqual([TOKENS + REAL, RULES + 1]);
    expect((await v1.get("/acl/token/self", secret)).text).toBe("ACL not found");
    expect((await v1.get("/acl/binding-rules?ns=*")).body).toEqual([]);
    const kept = idOf(await makeIn(v1, { namespace: "b" }, "token", {}));
    // A later object of the deleted one's name is another object, and stays.
    await makeMethodIn(v1, {});
    await makeIn(v1, {}, "binding-rule", {});
    let removed = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      await expireLease(v1.db);
      const deletion = start();
      await expect.poll(() => deletion.progress().removedRows, { timeout: 60_000, interval: 1 }).toBeGreaterThan(500);
      await deletion.stop();
      removed += deletion.progress().removedRows;
      const [tokens = 0, rules = 0] = await left();
      expect(TOKENS + REAL + RULES + 2 - tokens - rules).toBe(removed);
      expect(await isDone()).toBe(false);
    }
    await expireLease(v1.db);
    const last = start();
    let rounds = 0;
    try {
      for (; !(await isDone()); rounds++) {
        const { SecretID } = await loginIn(v1, {});
        const answers = await Promise.all([
          v1.get("/acl/token/self", SecretID),
          v1.get("/acl/tokens?ns=b"),
          v1.put("/acl/token?ns=b", { Description: `round ${rounds}` }),
          v1.patch(`/acl/token/${kept}?ns=b`, { Description: `round ${rounds}` }),
          v1.put("/acl/binding-rule", { AuthMethod: METHOD, BindType: "service", BindName: "web" }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(answers[1]?.text).not.toContain(METHOD);
        expect((await v1.get("/acl/token/self", secret)).status).toBe(403);
      }
    } finally {
      await last.stop();
    }
    expect(errors).toEqual([]);
    expect(removed + last.progress().removedRows).toBe(TOKENS + REAL + RULES + 1);
    expect(last.progress()).toMatchObject({ pending: 0, finished: 1 });
    expect(rounds).toBeGreaterThan(3);
    expect(await left()).toEqual([rounds, rounds + 1]);
  });

  const ofPostgres = engine === "postgres" ? describe : undefined;
  ofPostgres?.("two nodes", () => {
    test("do the work once: one has the lease, and when it stops the other goes on", async () => {
      await v1.delete(`/acl/auth-method/${METHOD}`);
      await expireLease(v1.db);
      const before = start();
      await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
      await before.stop();
      await makeMany(SHARED.tokens, SHARED.rules);
      const fail = (error: Error): never => {
        throw error;
      };
      const other = await openDatabase({ url: v1.url, dataDir: v1.dataDir, onFatal: fail, onWarning: () => undefined });
      await expireLease(v1.db);
      const nodes = [start(), start(other)];
      const rows = () => nodes.map((node) => node.progress().removedRows);
      try {
        await expect.poll(() => Math.max(...rows()), { timeout: 60_000, interval: 1 }).toBeGreaterThan(500);
        const first = rows().findIndex((count) => count > 0);
        expect(rows()[1 - first]).toBe(0);
        await nodes[first]?.stop();
        const done = rows()[first] ?? 0;
        await expireLease(v1.db);
        await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
        expect(rows()[first]).toBe(done);
        expect(done + (rows()[1 - first] ?? 0)).toBe(SHARED.tokens + REAL + SHARED.rules + 1);
        expect(errors).toEqual([]);
      } finally {
        for (const node of nodes) await node.stop();
        await other.close();
      }
    });
  });
});

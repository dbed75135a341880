import { beforeAll, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod } from "../../../test/support/login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import type { Tables } from "../../storage/tables/tables.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { oldNotes } from "../login/old-notes.ts";

const key = createSigningKey("k1");
const DAY_MS = 24 * 60 * 60 * 1000;
const CONTENT = { AuthMethod: "jwt", BindType: "service", BindName: "web" };
const FULL = "The token has used 1000 Idempotency-Keys in this namespace within 24 hours";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await makeMethod(v1, key, { Name: "jwt" });
    await makeNamespace(v1, { namespace: "team" });
    await makeMethod(v1, key, { Name: "jwt" }, "?ns=team");
  });

  const create = (idempotencyKey: string, token: string, query = "") =>
    v1.send({
      method: "PUT",
      url: `/v1/acl/binding-rule${query}`,
      headers: { "x-service-token": token, "idempotency-key": idempotencyKey },
      payload: JSON.stringify(CONTENT),
    });

  async function newToken(): Promise<{ accessor: string; secret: string }> {
    return v1.token({ Policies: [{ ID: await v1.policy(`acl = "write" namespace_prefix "" { acl = "write" }`) }] });
  }

  /** Notes so many creations of a token, as if it had sent them. @param content beside its own ID */
  async function note(
    accessor: string,
    count: number,
    content: Partial<Tables["idempotency_keys"]> = {},
  ): Promise<void> {
    const row = { partition: "default", namespace: "default", accessor_id: accessor, body_hash: "x", rule_id: "x" };
    const expiring = { expires_at: v1.now() + DAY_MS };
    for (let done = 0; done < count; done += 250) {
      const size = Math.min(250, count - done);
      const rows = Array.from({ length: size }, () => ({ ...row, ...expiring, ...content, id: crypto.randomUUID() }));
      await v1.write((sql) => sql.insertInto("idempotency_keys").values(rows));
    }
  }

  test("a token has a thousand keys in a namespace, and may come again when it has fewer", async () => {
    const { accessor, secret } = await newToken();
    await note(accessor, 999);
    const last = await create("last", secret);
    expect(last.status).toBe(200);
    const rules = (await v1.get("/acl/binding-rules?ns=*")).text;
    const answer = await create("one-more", secret);
    expect(answer).toMatchObject({ status: 429, text: FULL });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect((await v1.get("/acl/binding-rules?ns=*")).text).toBe(rules);
    // Keys that the token has already used stay valid.
    expect(await create("last", secret)).toMatchObject({ status: 200, text: last.text });
    expect((await v1.put("/acl/binding-rule", CONTENT, secret)).status).toBe(200);
    // The limit applies neither to another namespace nor to another token.
    expect((await create("one-more", secret, "?ns=team")).status).toBe(200);
    expect((await create("one-more", MANAGEMENT)).status).toBe(200);
    v1.setNow(Date.now() + DAY_MS);
    expect((await create("one-more", secret)).status).toBe(200);
    v1.setNow(undefined);
  });

  test("keys that are too old leave room", async () => {
    const { accessor, secret } = await newToken();
    await note(accessor, 1000, { expires_at: v1.now() - 1 });
    await note(accessor, 999);
    expect((await create("fits", secret)).status).toBe(200);
    expect((await create("more", secret)).status).toBe(429);
  });

  test("whoever repeats the thousandth while it is made is told of it, and not that there are too many", async () => {
    for (let round = 0; round < 3; round++) {
      const { accessor, secret } = await newToken();
      await note(accessor, 999);
      const answers = await Promise.all(Array.from({ length: 8 }, () => create("thousandth", secret)));
      expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, answers[0]?.text]));
    }
  });

  test("of many creations at once no more than a thousand keys come to be", async () => {
    const { accessor, secret } = await newToken();
    await note(accessor, 996);
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => create(`many-${i}`, secret)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status, text }) => status === 429 && text === FULL)).toHaveLength(12);
  });

  test("a deleted namespace takes its keys along: in the next one of its name they are new", async () => {
    await makeNamespace(v1, { namespace: "passing" });
    await makeMethod(v1, key, { Name: "jwt" }, "?ns=passing");
    const first = await create("k", MANAGEMENT, "?ns=passing");
    expect(first.status).toBe(200);
    await v1.delete("/namespace/passing");
    await finishDeletion(v1.db);
    await makeNamespace(v1, { namespace: "passing" });
    await makeMethod(v1, key, { Name: "jwt" }, "?ns=passing");
    const second = await create("k", MANAGEMENT, "?ns=passing");
    expect(second.status).toBe(200);
    expect(second.body.ID).not.toBe(first.body.ID);
  });

  test("what is over is removed, of whatever token and namespace, and nothing else", async () => {
    const now = Date.now();
    v1.setNow(undefined);
    await v1.write((sql) => sql.deleteFrom("idempotency_keys"));
    const { secret } = await newToken();
    const kept = await create("kept", secret);
    await note("a", 120, { expires_at: now - 1 });
    await note("b", 30, { expires_at: now, namespace: "gone", partition: "gone" });
    await note("c", 5, { expires_at: now + 1 });
    const states = { old: now - 1, now, fresh: now + 1 };
    for (const [id, expires_at] of Object.entries(states)) {
      await v1.write((sql) => sql.insertInto("used_login_states").values({ id, expires_at }));
    }
    const errors: unknown[] = [];
    const removal = startRemoval(
      v1.db,
      oldNotes(v1.db, () => now),
      (error) => errors.push(error),
    );
    const left = async () => ({
      keys: (await v1.db.sql.selectFrom("idempotency_keys").select("accessor_id").execute()).length,
      states: (await v1.db.sql.selectFrom("used_login_states").select("id").execute()).map(({ id }) => id),
    });
    try {
      await expect.poll(left, { timeout: 60_000, interval: 10 }).toEqual({ keys: 6, states: ["fresh"] });
    } finally {
      await removal.stop();
    }
    expect(errors).toEqual([]);
    expect(await create("kept", secret)).toMatchObject({ status: 200, text: kept.text });
    expect((await v1.get(`/acl/binding-rule/${kept.body.ID}`)).status).toBe(200);
  });
});

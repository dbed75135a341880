import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { expireLease, finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";
import { startDeletion } from "../deletion/removal.ts";

const key = createSigningKey("k1");

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerToken: 100 } });
  const { indexOf, wait } = createWaits(v1);
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeMethod(v1, key, { Name: "jwt" });
    await makeMethod(v1, key, { Name: "other" });
    await makeMethod(v1, key, { Name: "jwt" }, "?ns=team");
  });
  const make = (AuthMethod = "jwt") => makeRule(v1, { AuthMethod });
  const at = (id: string) => `/acl/binding-rule/${id}`;

  describe("a blocking read of a rule", () => {
    test("waits for a change of it, and for none of another, of its method or elsewhere", async () => {
      const [id, sibling] = [await make(), await make()];
      const held = [await wait(at(id)), await wait(at(id.toUpperCase()))];
      await make();
      await makeRule(v1, { AuthMethod: "jwt" }, "?ns=team");
      await v1.patch(at(sibling), { Description: "d" });
      await v1.delete(at(sibling));
      await login(v1, "jwt", bearer(key));
      await makeMethod(v1, key, { Name: "jwt", Description: v1.unique("d") });
      await makeMethod(v1, key, { Name: v1.unique("method") });
      await v1.token();
      await sleep(QUIET_MS);
      expect(held.map((each) => each.isOver())).toEqual([false, false]);
      const { body } = await v1.patch(at(id), { Description: "changed" });
      for (const { answer } of held) {
        const { status, body: shown, headers } = await answer;
        expect({ status, shown }).toEqual({ status: 200, shown: body });
        expect(Number(headers["x-service-index"])).toBeGreaterThanOrEqual(body.ModifyIndex);
      }
    });

    test("is told that it is gone: deleted itself", async () => {
      const id = await make();
      const held = await wait(at(id));
      await v1.delete(at(id));
      const { status, headers } = await held.answer;
      expect(status).toBe(404);
      expect(Number(headers["x-service-index"])).toBe(await indexOf("/acl/binding-rules"));
    });

    test("is told that it is gone: deleted with its method, as soon as its row is removed", async () => {
      await makeMethod(v1, key, { Name: "ending" });
      const id = await make("ending");
      const spared = await make();
      const [held, still] = [await wait(at(id)), await wait(at(spared))];
      await v1.delete("/acl/auth-method/ending");
      const errors: unknown[] = [];
      const onError = (error: unknown): unknown => errors.push(error);
      await expireLease(v1.db);
      const deletion = startDeletion(v1.db, { onProgress: () => undefined, onError });
      try {
        expect((await held.answer).status).toBe(404);
      } finally {
        await deletion.stop();
      }
      expect(errors).toEqual([]);
      expect(still.isOver()).toBe(false);
      await v1.patch(at(spared), { Description: "told" });
      expect((await still.answer).body).toMatchObject({ Description: "told" });
    });

    test("is told that it is gone: deleted with its namespace", async () => {
      await makeNamespace(v1, { namespace: "passing" });
      await makeMethod(v1, key, { Name: "jwt" }, "?ns=passing");
      const id = await makeRule(v1, { AuthMethod: "jwt" }, "?ns=passing");
      const [held, list] = [await wait(`${at(id)}?ns=passing`), await wait("/acl/binding-rules?ns=passing")];
      await v1.delete("/namespace/passing");
      await finishDeletion(v1.db);
      expect((await held.answer).status).toBe(404);
      expect((await list.answer).text).toBe("[]");
    });

    test("of what is not there waits until its time is over", async () => {
      const held = await wait(at(NOBODY), { wait: "400ms" });
      await make();
      const { status, text, headers } = await held.answer;
      expect([status, text]).toEqual([404, "Requested binding rule does not exist: ACL not found"]);
      expect(Number(headers["x-service-index"])).toBeGreaterThan(0);
    });
  });

  describe("a blocking list", () => {
    test("waits for every change of a rule, a deletion too, and for no other table", async () => {
      const held = await wait("/acl/binding-rules");
      await login(v1, "jwt", bearer(key));
      await v1.role();
      await makeMethod(v1, key, { Name: v1.unique("method") });
      await makeRule(v1, { AuthMethod: "jwt" }, "?ns=team");
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      const id = await make();
      const first = await held.answer;
      expect(first.text).toContain(id);
      const again = await wait("/acl/binding-rules?authmethod=jwt");
      await v1.delete(at(id));
      const second = await again.answer;
      expect(second.text).not.toContain(id);
      expect(Number(second.headers["x-service-index"])).toBeGreaterThan(Number(first.headers["x-service-index"]));
    });

    test("is told when a method takes its rules along", async () => {
      await makeMethod(v1, key, { Name: "taking" });
      const id = await make("taking");
      const held = [
        await wait("/acl/binding-rules"),
        await wait("/acl/binding-rules?ns=*"),
        await wait("/acl/binding-rules?authmethod=taking"),
      ];
      expect(held.map((each) => each.isOver())).toEqual([false, false, false]);
      await v1.delete("/acl/auth-method/taking");
      for (const { answer } of held) expect((await answer).text).not.toContain(id);
    });

    test("answers what there is when its time is over, or at once where the index is old", async () => {
      const id = await make();
      for (const path of ["/acl/binding-rules", "/acl/binding-rules?authmethod=jwt", at(id)]) {
        const now = await v1.get(path);
        const index = await indexOf(path);
        const answer = await (await wait(path, { wait: "200ms" })).answer;
        expect(answer).toMatchObject({ status: 200, text: now.text });
        expect(answer.headers["x-service-index"]).toBe(String(index));
        expect((await wait(path, { since: index - 1 })).isOver()).toBe(true);
        expect((await wait(path, { since: 0 })).isOver()).toBe(true);
      }
    });
  });

  test("what is read is never older than its own write, and indexes only grow", async () => {
    let last = 0;
    const id = await make();
    for (let i = 0; i < 10; i++) {
      const { body } = await v1.patch(at(id), { Description: `d${i}` });
      for (const path of [at(id), "/acl/binding-rules", "/acl/binding-rules?authmethod=jwt"]) {
        const answer = await v1.get(path);
        expect(answer.text).toContain(`"Description":"d${i}"`);
        const index = Number(answer.headers["x-service-index"]);
        expect(index).toBe(body.ModifyIndex);
        expect(index).toBeGreaterThanOrEqual(last);
        last = index;
      }
    }
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { jwtConfig } from "../../../test/support/method-configs.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";

const key = createSigningKey("k1");
const Config = jwtConfig(key);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait } = createWaits(v1);
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeMethod(v1, key, { Name: "hay" });
    await makeMethod(v1, key, { Name: "same" }, "?ns=team");
  });

  test("the list of methods shows neither configurations nor rules of namespaces", async () => {
    const rules = [{ BindNamespace: "team" }];
    const full = { DisplayName: "d", Description: "e", MaxTokenTTL: "1h0m0s", TokenLocality: "global" };
    const { body: method } = await v1.put("/acl/auth-method/hay", { Config, ...full, NamespaceRules: rules });
    const { Config: _config, NamespaceRules: _rules, ...listed } = method;
    expect(listed).toMatchObject({ ...full, Namespace: "default", Partition: "default" });
    const { body } = await v1.get("/acl/auth-methods?search=hay");
    expect(body).toEqual([listed]);
  });

  describe("a blocking read", () => {
    test.each(["PUT", "PATCH", "DELETE"])("of a method waits for its %s, and for nothing else", async (how) => {
      const { Name } = await makeMethod(v1, key, { Name: v1.unique("held") });
      const path = `/acl/auth-method/${Name}`;
      const held = await wait(`/acl/auth-method/${String(Name).toUpperCase()}`);
      const before = await indexOf(path);
      await makeMethod(v1, key, { Name: v1.unique("beside") });
      await makeMethod(v1, key, { Name }, "?ns=team");
      await makeRule(v1, { AuthMethod: Name });
      await login(v1, Name, bearer(key));
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      if (how === "PUT") await v1.put(path, { Config, Description: "changed" });
      else if (how === "PATCH") await v1.patch(path, { Description: "changed" });
      else await v1.delete(path);
      const { status, body, headers } = await held.answer;
      expect(status).toBe(how === "DELETE" ? 404 : 200);
      if (how !== "DELETE") expect(body.Description).toBe("changed");
      expect(Number(headers["x-service-index"])).toBeGreaterThan(before);
      await v1.delete(`${path}?ns=team`);
    });

    test("of a method that is missing waits for it to be made, and is 404 when its time is over", async () => {
      const name = v1.unique("to-come");
      const held = await wait(`/acl/auth-method/${name}`);
      await makeMethod(v1, key, { Name: v1.unique("beside") });
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      await makeMethod(v1, key, { Name: name });
      expect(await held.answer).toMatchObject({ status: 200, body: { Name: name } });
      const missing = await (await wait("/acl/auth-method/nobody", { wait: "200ms" })).answer;
      expect(missing).toMatchObject({ status: 404, text: "Requested auth method does not exist: ACL not found" });
      expect(Number(missing.headers["x-service-index"])).toBeGreaterThan(0);
    });

    test("of the list waits for a new method, a change and an end, each with a greater index", async () => {
      const Name = v1.unique("listed");
      const path = `/acl/auth-method/${Name}?ns=team`;
      const steps: [act: () => Promise<unknown>, isShown: boolean][] = [
        [() => v1.put(path, { Type: "jwt", Config }), true],
        [() => v1.patch(path, { Description: "x" }), true],
        [() => v1.delete(path), false],
      ];
      for (const list of ["/acl/auth-methods?ns=team", "/acl/auth-methods?ns=*"]) {
        for (const [act, isShown] of steps) {
          const since = await indexOf(list);
          const held = await wait(list);
          // Rules and tokens are tables of their own.
          await makeRule(v1, { AuthMethod: "same" }, "?ns=team");
          await v1.token();
          await sleep(QUIET_MS);
          expect(held.isOver()).toBe(false);
          await act();
          const { body, headers } = await held.answer;
          expect((body as { Name: string }[]).some((each) => each.Name === Name)).toBe(isShown);
          expect(Number(headers["x-service-index"])).toBeGreaterThan(since);
        }
      }
    });
  });
});

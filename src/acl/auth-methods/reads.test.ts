import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { jwtConfig, namesOf } from "../../../test/support/method-configs.ts";
import { makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";

const key = createSigningKey("k1");
const Config = jwtConfig(key);
const NAMES = ["b", "A", "a-1", "C_", "aa", "Z9", "_x", "-y", "B2", "needle-1", "NEEDLE-2", "hay"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait } = createWaits(v1);
  beforeAll(async () => {
    for (const namespace of ["team", "crew"]) await makeNamespace(v1, { namespace });
    await makePartition(v1, "unit");
    for (const Name of NAMES) await makeMethod(v1, key, { Name });
    for (const ns of ["team", "crew"]) {
      for (const Name of ["same", `of-${ns}`]) await makeMethod(v1, key, { Name, Description: ns }, `?ns=${ns}`);
    }
    await makeMethod(v1, key, { Name: "apart" }, "?partition=unit");
  });

  describe("the list of methods", () => {
    test("is in order of bytes of their lower-case names, without configurations and rules", async () => {
      const names = await namesOf(v1);
      const keys = names.map((name) => name.toLowerCase());
      expect(names.toSorted()).toEqual(NAMES.toSorted());
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
      const rules = [{ BindNamespace: "team" }];
      const full = { DisplayName: "d", Description: "e", MaxTokenTTL: "1h0m0s", TokenLocality: "global" };
      const { body: method } = await v1.put("/acl/auth-method/hay", { Config, ...full, NamespaceRules: rules });
      const { Config: _config, NamespaceRules: _rules, ...listed } = method;
      expect(listed).toMatchObject({ ...full, Namespace: "default", Partition: "default" });
      const { body } = await v1.get("/acl/auth-methods?search=hay");
      expect(body).toEqual([listed]);
    });

    test.each([1, 2, 5, 1000])("comes whole in pages of %i, each entry once", async (size) => {
      for (const ns of ["", "&ns=*"]) {
        const whole = (await v1.get(`/acl/auth-methods?${ns}`)).body as unknown[];
        const pages: unknown[][] = [];
        let after: string | undefined = "";
        while (after !== undefined) {
          const answer = await v1.get(`/acl/auth-methods?page-size=${size}${after && `&after=${after}`}${ns}`);
          expect(answer.status, answer.text).toBe(200);
          pages.push(answer.body);
          const next = answer.headers["x-service-next"] as string | undefined;
          after = next === undefined ? undefined : encodeURIComponent(next);
        }
        expect(pages.flat()).toEqual(whole);
        expect(pages.length).toBe(Math.ceil(whole.length / size));
      }
    });

    test("is searched in any case, and what means something to a pattern is text", async () => {
      const found = (text: string) => namesOf(v1, `?search=${encodeURIComponent(text)}`);
      expect(await found("Needle")).toEqual(["needle-1", "NEEDLE-2"]);
      expect(await found("c_")).toEqual(["C_"]);
      for (const text of ["%", "n_edle", "nee%", "\\", "'", "nobody", "jwt"]) expect(await found(text)).toEqual([]);
    });

    test("incident 25: a cursor that was changed is refused", async () => {
      const cursor = String((await v1.get("/acl/auth-methods?page-size=1")).headers["x-service-next"]);
      for (const bad of ["x", "%00", `${cursor}=`, Buffer.from("' or 1=1 --").toString("base64url")]) {
        expect((await v1.get(`/acl/auth-methods?page-size=1&after=${bad}`)).status).toBe(400);
      }
    });

    test("is that of a namespace, or of all that the caller may read, and says when some are left out", async () => {
      expect(await namesOf(v1, "?ns=team")).toEqual(["of-team", "same"]);
      expect(await namesOf(v1, "?ns=TEAM")).toEqual(["of-team", "same"]);
      expect(await namesOf(v1, "?partition=unit")).toEqual(["apart"]);
      expect(await namesOf(v1, "?ns=*&partition=unit")).toEqual(["apart"]);
      const everywhere = (await v1.get("/acl/auth-methods?ns=*&search=same")).body as object[];
      expect(everywhere).toMatchObject([
        { Name: "same", Namespace: "crew", Description: "crew" },
        { Name: "same", Namespace: "team", Description: "team" },
      ]);
      const teams = await v1.tokenWith('namespace "team" { acl = "read" }');
      const answer = await v1.get("/acl/auth-methods?ns=*", teams);
      expect((answer.body as { Name: string }[]).map(({ Name }) => Name)).toEqual(["of-team", "same"]);
      expect(answer.headers).toMatchObject({
        "x-service-results-filtered-by-acls": "true",
        "x-consul-results-filtered-by-acls": "true",
      });
      expect((await v1.get("/acl/auth-methods?ns=*")).headers).not.toHaveProperty("x-service-results-filtered-by-acls");
      expect((await v1.get("/acl/auth-methods?ns=team", teams)).headers).not.toHaveProperty(
        "x-service-results-filtered-by-acls",
      );
      expect((await v1.get("/acl/auth-methods", teams)).status).toBe(403);
      expect((await v1.get("/acl/auth-method/same?ns=*")).status).toBe(400);
      expect((await v1.delete("/acl/auth-method/same?ns=*")).status).toBe(400);
      expect((await v1.put("/acl/auth-method?ns=*", { Name: "x", Type: "jwt", Config })).status).toBe(400);
    });

    test("incident 18: is never more than the reads of single methods that are allowed", async () => {
      const callers = [
        await v1.tokenWith('namespace "team" { acl = "read" }'),
        await v1.tokenWith('namespace_prefix "" { acl = "read" } namespace "crew" { acl = "deny" }'),
        await v1.tokenWith('namespace_prefix "c" { acl = "write" }'),
        await v1.tokenWith('acl = "read"'),
      ];
      const all = (await v1.get("/acl/auth-methods?ns=*")).body as { Name: string; Namespace: string }[];
      for (const caller of callers) {
        const { status, body } = await v1.get("/acl/auth-methods?ns=*", caller);
        const readable: typeof all = [];
        for (const each of all) {
          const one = await v1.get(`/acl/auth-method/${each.Name}?ns=${each.Namespace}`, caller);
          if (one.status === 200) readable.push(each);
        }
        expect(status === 200 ? body : []).toEqual(readable);
      }
    });

    test("ignores filter expressions, takes pretty, and carries the headers of reads", async () => {
      for (const path of ["/acl/auth-methods", "/acl/auth-method/hay"]) {
        const plain = await v1.get(path);
        expect((await v1.get(`${path}?filter=nonsense+%28`)).text).toBe(plain.text);
        expect((await v1.get(`${path}?pretty`)).text).toBe(`${JSON.stringify(plain.body, null, 4)}\n`);
        expect(plain.headers).toMatchObject({
          "content-type": "application/json",
          "x-consul-knownleader": "true",
          "x-consul-lastcontact": "0",
          "x-consul-default-acl-policy": "deny",
        });
        expect((await v1.get(`${path}?stale`)).body).toEqual(plain.body);
        expect((await v1.get(`${path}?consistent`)).body).toEqual(plain.body);
        expect((await v1.get(`${path}?stale&consistent`)).status).toBe(400);
      }
      expect((await v1.get("/acl/auth-methods?partition=unit&search=nobody")).text).toBe("[]");
    });
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

    test("ends when the caller may not read any more", async () => {
      const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
      const held = [
        await wait("/acl/auth-method/hay", { token: secret }),
        await wait("/acl/auth-methods", { token: secret }),
      ];
      await v1.delete(`/acl/token/${accessor}`);
      for (const { answer } of held) expect(await answer).toMatchObject({ status: 403, text: "ACL not found" });
    });
  });
});

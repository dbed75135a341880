import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits } from "../../../test/support/waits.ts";

const key = createSigningKey("k1");

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { wait } = createWaits(v1);

  test("an identity becomes a token with what the rules say", async () => {
    await makeMethod(v1, key, { Name: "Web", MaxTokenTTL: "5m" });
    const role = await v1.role({ Name: "deployers" });
    await makeRule(v1, { AuthMethod: "web", Selector: 'value.team == "a"', BindType: "role", BindName: "Deployers" });
    await makeRule(v1, { AuthMethod: "web", BindName: "web-${value.name}" });
    await makeRule(v1, { AuthMethod: "web", Selector: 'value.team == "b"', BindType: "node", BindName: "n" });
    const answer = await login(v1, "WEB", bearer(key, { team: "a", name: "X" }), { Meta: { b: "2", a: "<1>" } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      Description: 'token created via login: {"a":"\\u003c1\\u003e","b":"2"}',
      AuthMethod: "Web",
      AuthMethodNamespace: "default",
      Local: true,
      Roles: [{ ID: role, Name: "deployers" }],
      ServiceIdentities: [{ ServiceName: "web-x" }],
      Namespace: "default",
    });
    expect(Date.parse(answer.body.ExpirationTime) - Date.parse(answer.body.CreateTime)).toBe(300_000);
    const self = await v1.get("/acl/token/self", answer.body.SecretID);
    expect(self.body).toEqual(answer.body);
    expect((await v1.post("/acl/logout", "", answer.body.SecretID)).text).toBe("true");
    expect(await v1.post("/acl/logout", "", answer.body.SecretID)).toMatchObject({
      status: 403,
      text: "ACL not found",
    });
  });

  test("what a client says of a login is kept within bounds", async () => {
    await makeMethod(v1, key, { Name: "meta" });
    await makeRule(v1, { AuthMethod: "meta" });
    expect((await login(v1, "meta", bearer(key), { Meta: { a: "x".repeat(8180) } })).status).toBe(200);
    const refusal = await login(v1, "meta", bearer(key), { Meta: { a: "x".repeat(8192) } });
    expect(refusal).toMatchObject({ status: 400, text: "Meta is longer than 8192 bytes" });
  });

  test("who may not read where the token would lie is told nothing of what is there", async () => {
    await makeMethod(v1, key, { Name: "far", NamespaceRules: [{ BindNamespace: "team" }] });
    await v1.put("/namespace/team");
    const asked = { AuthMethod: "far", Identity: { value: {} } };
    const reader = await v1.tokenWith('acl = "read" namespace "team" { acl = "deny" }');
    expect((await v1.post("/acl/login/explain", asked, reader)).status).toBe(403);
    expect((await v1.post("/acl/login/explain", asked)).status).toBe(200);
  });

  test("the log says why no rule gave anything, also where the index ruled them all out", async () => {
    await makeMethod(v1, key, { Name: "unlike" });
    await makeRule(v1, { AuthMethod: "unlike", Selector: 'value.team == "a" and value.name == "b"' });
    expect((await login(v1, "unlike", bearer(key, { team: "c", name: "d" }))).status).toBe(403);
    const line = v1.log.findLast((each) => each.includes("login denied")) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      candidates: [{ verdict: "not matched", reason: expect.stringContaining("is false") }],
    });
  });

  test("who waits for tokens of another namespace is told at once that their method is gone", async () => {
    await v1.put("/namespace/apart");
    await makeMethod(v1, key, { Name: "placing", NamespaceRules: [{ BindNamespace: "apart" }] });
    await makeRule(v1, { AuthMethod: "placing" });
    const { body } = await login(v1, "placing", bearer(key));
    expect(body.Namespace).toBe("apart");
    const held = await wait("/acl/tokens?ns=apart");
    await v1.delete("/acl/auth-method/placing");
    expect((await held.answer).body).toEqual([]);
  });

  test("a deleted method takes its tokens along at once", async () => {
    await makeMethod(v1, key, { Name: "gone" });
    const rule = await makeRule(v1, { AuthMethod: "gone" });
    const { body } = await login(v1, "gone", bearer(key));
    expect((await v1.get("/acl/token/self", body.SecretID)).status).toBe(200);
    expect((await v1.delete("/acl/auth-method/gone")).text).toBe("true");
    expect(await v1.get("/acl/token/self", body.SecretID)).toMatchObject({ status: 403, text: "ACL not found" });
    expect((await v1.get(`/acl/token/${body.AccessorID}`)).status).toBe(404);
    expect((await v1.get("/acl/tokens?authmethod=gone")).body).toEqual([]);
    expect((await v1.get(`/acl/binding-rule/${rule}`)).status).toBe(404);
    await makeMethod(v1, key, { Name: "gone" });
    expect(await v1.get("/acl/token/self", body.SecretID)).toMatchObject({ status: 403 });
    expect((await v1.get("/acl/binding-rules?authmethod=gone")).body).toEqual([]);
    expect(await login(v1, "gone", bearer(key))).toMatchObject({ status: 403 });
  });
});

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod } from "../../../test/support/login.ts";
import { makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const DAY_MS = 24 * 60 * 60 * 1000;
const OTHER = "The Idempotency-Key was used for another binding rule";
const DELETED = "The binding rule that was created with this Idempotency-Key has been deleted";
const CONTENT = { AuthMethod: "jwt", BindType: "service", BindName: "web" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeMethod(v1, key, { Name: "jwt" });
    await makeMethod(v1, key, { Name: "jwt" }, "?ns=team");
  });
  beforeEach(() => v1.setNow(undefined));

  interface Sent {
    body?: object | string;
    token?: string;
    path?: string;
    headers?: Record<string, string | string[]>;
  }

  const create = (
    idempotencyKey: string | string[],
    { body = CONTENT, token = MANAGEMENT, path = "", headers }: Sent = {},
  ) =>
    v1.send({
      method: "PUT",
      url: `/v1/acl/binding-rule${path}`,
      headers: { "x-service-token": token, "idempotency-key": idempotencyKey, ...headers },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
  const made = async (idempotencyKey: string, sent: Sent = {}) => {
    const answer = await create(idempotencyKey, sent);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const rules = async () => ((await v1.get("/acl/binding-rules?ns=*")).body as object[]).length;

  test("the same creation sent twice makes one rule, and both are told of it", async () => {
    const before = await rules();
    const first = await create("twice");
    expect(first.status).toBe(200);
    for (const again of [await create("twice"), await create("twice", { path: "/" })]) {
      expect(again).toMatchObject({ status: 200, text: first.text });
    }
    expect(await rules()).toBe(before + 1);
  });

  test("spelling is not content: case of members, their order, and what says nothing", async () => {
    const { ID } = await made("spelled");
    for (const body of [
      { BINDNAME: "web", bindtype: "service", authmethod: "jwt" },
      { ...CONTENT, Description: "", Selector: null, BindVars: null, ID: "", ModifyIndex: 7 },
      { ...CONTENT, Namespace: "default", Partition: "Default" },
    ]) {
      expect((await made("spelled", { body })).ID).toBe(ID);
    }
  });

  test.each([
    { Description: "d" },
    { Selector: "value.team == a" },
    { BindName: "api" },
    { BindType: "node" },
    { AuthMethod: "JWT" },
    { BindType: "templated-policy", BindName: "builtin/dns", BindVars: {} },
  ])("another body with the same key is refused: %j", async (change) => {
    const before = await rules();
    const { ID } = await made(`other ${JSON.stringify(change)}`.replaceAll(/[^a-z]/gi, "-"));
    const answer = await create(`other ${JSON.stringify(change)}`.replaceAll(/[^a-z]/gi, "-"), {
      body: { ...CONTENT, ...change },
    });
    expect(answer).toMatchObject({ status: 409, text: OTHER });
    expect(await rules()).toBe(before + 1);
    expect((await v1.get(`/acl/binding-rule/${ID}`)).body.BindName).toBe("web");
  });

  test("a body that nothing would be made of is refused as such, and uses no key up", async () => {
    const bad = await create("spared", { body: { ...CONTENT, BindName: "" } });
    expect(bad).toMatchObject({ status: 400, text: "Invalid Binding Rule: no BindName is set" });
    expect((await create("spared", { path: "?cas=7" })).status).toBe(409);
    const { ID } = await made("spared");
    expect((await made("spared")).ID).toBe(ID);
  });

  test("a replay shows the rule as it is now", async () => {
    const { ID } = await made("changed");
    const changed = (await v1.patch(`/acl/binding-rule/${ID}`, { Description: "later" })).body;
    expect(await made("changed")).toEqual(changed);
  });

  test("a rule that was deleted is not made again", async () => {
    const { ID } = await made("deleted");
    await v1.delete(`/acl/binding-rule/${ID}`);
    const before = await rules();
    expect(await create("deleted")).toMatchObject({ status: 409, text: DELETED });
    expect(await create("deleted", { body: { ...CONTENT, Description: "d" } })).toMatchObject({
      status: 409,
      text: OTHER,
    });
    expect(await rules()).toBe(before);
  });

  test("nor is one whose method was deleted, also when the method is back", async () => {
    await makeMethod(v1, key, { Name: "brief" });
    const body = { ...CONTENT, AuthMethod: "brief" };
    await made("of a method".replaceAll(" ", "-"), { body });
    await v1.delete("/acl/auth-method/brief");
    expect(await create("of-a-method", { body })).toMatchObject({ status: 409, text: DELETED });
    await makeMethod(v1, key, { Name: "brief" });
    expect(await create("of-a-method", { body })).toMatchObject({ status: 409, text: DELETED });
  });

  test("incident 16: the key of another token, or in another namespace, is another", async () => {
    const writer = await v1.tokenWith(`acl = "write" namespace_prefix "" { acl = "write" }`);
    const answers = [
      await made("shared"),
      await made("shared", { token: writer }),
      await made("shared", { path: "?ns=team" }),
      await made("shared", { path: "?ns=team", token: writer }),
      await made("Shared"),
      await made("shared-"),
    ];
    expect(new Set(answers.map(({ ID }) => ID)).size).toBe(6);
    const bodies = [
      await made("shared", { body: { ...CONTENT, Namespace: "TEAM" } }),
      await made("shared", { path: "?ns=default", headers: { "x-consul-namespace": "team" } }),
    ];
    expect(bodies.map(({ ID }) => ID)).toEqual([answers[2].ID, answers[0].ID]);
  });

  test("rights are asked for again: who has lost them is not shown the rule", async () => {
    const policy = await v1.policy(`acl = "write"`);
    const { secret } = await v1.token({ Policies: [{ ID: policy }] });
    await made("rights", { token: secret });
    await v1.put(`/acl/policy/${policy}`, { Name: v1.unique("weaker"), Rules: `acl = "read"` });
    expect((await create("rights", { token: secret })).status).toBe(403);
    const tenant = await secretIn(v1, { namespace: "team" }, `acl = "write"`);
    expect((await create("rights", { token: tenant, path: "?ns=default" })).status).toBe(403);
  });

  test("a key counts for 24 hours to the millisecond, and then for another rule", async () => {
    const now = Date.now() + DAY_MS;
    v1.setNow(now);
    const { ID } = await made("aged");
    v1.setNow(now + DAY_MS - 1);
    expect((await made("aged")).ID).toBe(ID);
    v1.setNow(now + DAY_MS);
    const body = { ...CONTENT, Description: "another" };
    const later = await made("aged", { body });
    expect(later.ID).not.toBe(ID);
    // The new key is valid from now on, and as long as the first.
    v1.setNow(now + 2 * DAY_MS - 1);
    expect((await made("aged", { body })).ID).toBe(later.ID);
    expect(await create("aged")).toMatchObject({ status: 409, text: OTHER });
  });

  test("a replay writes nothing: neither the index of the table nor that of the partition rises", async () => {
    const { ID } = await made("still");
    const counter = () => v1.db.sql.selectFrom("counters").selectAll().orderBy("name").execute();
    const index = async () => (await v1.get("/acl/binding-rules")).headers["x-service-index"];
    const before = [
      await index(),
      await counter(),
      await v1.db.sql.selectFrom("idempotency_keys").selectAll().execute(),
    ];
    for (let i = 0; i < 3; i++) expect((await made("still")).ID).toBe(ID);
    expect((await create("still", { body: { ...CONTENT, Description: "d" } })).status).toBe(409);
    const after = [
      await index(),
      await counter(),
      await v1.db.sql.selectFrom("idempotency_keys").selectAll().execute(),
    ];
    expect(after).toEqual(before);
  });

  test("32 creations at once with one key make one rule, and all are told of it", async () => {
    for (const round of ["a", "b"]) {
      const before = await rules();
      const answers = await Promise.all(Array.from({ length: 32 }, () => create(`crowd-${round}`)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await rules()).toBe(before + 1);
    }
  });

  test("of creations at once with one key and two bodies one kind is made", async () => {
    const bodies = Array.from({ length: 16 }, (_, i) => ({ ...CONTENT, Description: i % 2 ? "one" : "two" }));
    const before = await rules();
    const answers = await Promise.all(bodies.map((body) => create("torn", { body })));
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    expect(good).toHaveLength(8);
    expect(answers.filter(({ status, text }) => status === 409 && text === OTHER)).toHaveLength(8);
    expect(await rules()).toBe(before + 1);
  });

  describe("a key", () => {
    test.each(["", " ", "a b", "a\tb", "ü", "a".repeat(256), "\u{7f}"])("that is none is refused: %j", async (bad) => {
      const before = await rules();
      const text = "Invalid Idempotency-Key: it must be 1 to 255 visible ASCII characters";
      expect(await create(bad)).toMatchObject({ status: 400, text });
      expect(await rules()).toBe(before);
    });

    test.each([
      "x",
      "a".repeat(255),
      "__proto__",
      "'; drop table idempotency_keys; --".replaceAll(" ", "_"),
      "*",
      "\\",
    ])("may be %j", async (good) => {
      expect((await made(good)).ID).toBe((await made(good)).ID);
    });

    test("given twice is refused", async () => {
      expect((await create(["one", "two"])).status).toBe(400);
    });

    test("is looked at by creations alone", async () => {
      const { ID } = await made("creations");
      const headers = { "idempotency-key": "creations", "x-service-token": MANAGEMENT };
      const payload = JSON.stringify({ ...CONTENT, Description: "replaced" });
      const url = `/v1/acl/binding-rule/${ID}`;
      expect((await v1.send({ method: "PUT", url, headers, payload })).body.Description).toBe("replaced");
      expect((await v1.send({ method: "PATCH", url, headers, payload: "{}" })).status).toBe(200);
    });
  });
});

import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, MAPPINGS } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => makeMethod(v1, key, { Name: "jwt" }));
  const statuses = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);
  const content = { AuthMethod: "jwt", BindType: "service", BindName: "web" };
  const make = async () => (await v1.put("/acl/binding-rule", content)).body;

  test("64 clients change one rule at once: all are served, and no partial update is lost", async () => {
    const path = `/acl/binding-rule/${(await make()).ID}`;
    const changes = [
      (i: number) => v1.patch(path, { Description: `d${i}` }),
      (i: number) => v1.patch(path, { Selector: `value.team == a${i}` }),
      (i: number) => v1.patch(path, { BindName: `b${i}` }),
      () => v1.patch(path, {}),
    ];
    const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => changes[i % 4]?.(i) ?? make()));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const last = answers.toSorted((a, b) => a.body.ModifyIndex - b.body.ModifyIndex).at(-1)?.body;
    expect((await v1.get(path)).body).toEqual(last);
    expect(last.Description).toMatch(/^d\d+$/);
    expect(last.Selector).toMatch(/^value\.team == a\d+$/);
    expect(last.BindName).toMatch(/^b\d+$/);
    expect(new Set(answers.map(({ body }) => body.ModifyIndex)).size).toBe(64);
    const replaced = await Promise.all(
      Array.from({ length: 64 }, (_, i) => v1.put(path, { ...content, Description: `r${i}` })),
    );
    expect(new Set(statuses(replaced))).toEqual(new Set([200]));
  });

  test("partial updates that are good alone and not together are not both done", async () => {
    for (let round = 0; round < 5; round++) {
      const path = `/acl/binding-rule/${(await make()).ID}`;
      const answers = await Promise.all([
        v1.patch(path, { BindType: "role", BindName: "Upper" }),
        v1.patch(path, { BindName: "x".repeat(256) }),
        v1.patch(path, { BindType: "templated-policy", BindName: "builtin/dns", BindVars: { Name: "x" } }),
        v1.patch(path, { BindType: "node" }),
        v1.patch(path, { BindType: "service", BindVars: null }),
      ]);
      expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
      const { body } = await v1.get(path);
      // A stored rule can be written back unchanged.
      const answer = await v1.put(path, body);
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test("a rule that is written while its method is replaced fits the one or the other, as it was then", async () => {
    const forms = ["team", "org"].map((claim) => ({ ClaimMappings: { [claim]: claim }, ListClaimMappings: {} }));
    const replace = (i: number) => makeMethod(v1, key, { Name: "turning", Config: forms[i % 2] as object });
    await replace(0);
    for (let round = 1; round <= 6; round++) {
      const create = (claim: string) =>
        v1.put("/acl/binding-rule", { AuthMethod: "turning", BindType: "service", BindName: `x-\${value.${claim}}` });
      const before = Array.from({ length: 4 }, () => ["team", "org"].map(create)).flat();
      const turned = replace(round);
      const after = Array.from({ length: 4 }, () => ["team", "org"].map(create)).flat();
      const answers = await Promise.all([...before, ...after]);
      const { ModifyIndex } = await turned;
      const [old, young] = round % 2 === 1 ? (["team", "org"] as const) : (["org", "team"] as const);
      for (const { status, body, text } of answers) {
        if (status !== 200) expect(text).toMatch(/unknown variable accessed/);
        else expect(body.BindName).toContain(body.CreateIndex < ModifyIndex ? old : young);
      }
      expect([(await create(young)).status, (await create(old)).status]).toEqual([200, 400]);
    }
  });

  test("a rule that is written while its method is deleted leaves no orphan, and is none of the next one of its name", async () => {
    for (let round = 0; round < 5; round++) {
      await makeMethod(v1, key, { Name: "ending" });
      const stored = await makeRule(v1, { AuthMethod: "ending" });
      const writes = () => [
        ...Array.from({ length: 6 }, () => v1.put("/acl/binding-rule", { ...content, AuthMethod: "ending" })),
        v1.patch(`/acl/binding-rule/${stored}`, { Description: "d" }),
      ];
      const before = writes();
      const deleted = v1.delete("/acl/auth-method/ending");
      const answers = await Promise.all([...before, ...writes()]);
      expect((await deleted).text).toBe("true");
      for (const { status, text } of answers) {
        if (status === 200) continue;
        expect(text).toMatch(/^cannot find (auth method with name "ending"|binding rule )/);
      }
      const all = answers.filter(({ status }) => status === 200).map(({ body }) => String(body.ID));
      await makeMethod(v1, key, { Name: "ending" });
      for (const id of [stored, ...all]) expect((await v1.get(`/acl/binding-rule/${id}`)).status).toBe(404);
      expect((await v1.get("/acl/binding-rules?authmethod=ending")).body).toEqual([]);
      expect((await v1.get("/acl/binding-rules")).text).not.toContain('"ending"');
      expect(await login(v1, "ending", bearer(key))).toMatchObject({ status: 403 });
      await v1.delete("/acl/auth-method/ending");
    }
  });

  test("a method deleted and made again between check and write is another: the rule is of the new one or refused", async () => {
    for (let round = 0; round < 5; round++) {
      await makeMethod(v1, key, { Name: "again" });
      const [created] = await Promise.all([
        v1.put("/acl/binding-rule", { ...content, AuthMethod: "again", BindName: "x-${value.team}" }),
        v1.delete("/acl/auth-method/again"),
        v1.put("/acl/auth-method", {
          Name: "again",
          Type: "jwt",
          Config: { ...MAPPINGS, ClaimMappings: {}, JWTValidationPubKeys: [key.publicKey] },
        }),
      ]);
      const rules = (await v1.get("/acl/binding-rules?authmethod=again")).body;
      // Its new form does not know the variable.
      expect(rules).toEqual([]);
      if (created.status === 200) expect((await v1.get(`/acl/binding-rule/${created.body.ID}`)).status).toBe(404);
      await v1.delete("/acl/auth-method/again");
    }
  });
});

/** Logins while what they rest on changes: each token is what was right at some moment between its request and its answer. */
import { describe, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { expectNothingStale, expectOneOf, givenBy, logInDuring } from "../../../test/support/login-races.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const GOOD = bearer(key, { team: "a" });

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  test("rules that are added, changed and deleted, one by one", async () => {
    const name = v1.unique("rules");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name, BindName: "base" });
    const added: string[] = [];
    const rule = (content: object) => ({ AuthMethod: name, BindType: "service", ...content });
    const update = async (index: number, content: object) => {
      const answer = await v1.put(`/acl/binding-rule/${added[index]}`, rule(content));
      expect(answer.status, answer.text).toBe(200);
    };
    const steps = [
      async () => void added.push(await makeRule(v1, rule({ BindName: "one" }))),
      async () => void added.push(await makeRule(v1, rule({ BindName: "two", Selector: 'value.team == "a"' }))),
      () => update(0, { BindName: "uno" }),
      () => update(1, { BindName: "two", Selector: 'value.team == "b"' }),
      () => update(1, { BindName: "${value.team}" }),
      () => v1.delete(`/acl/binding-rule/${added[0]}`),
      () => update(1, { BindName: "${value.name}" }),
      () => v1.delete(`/acl/binding-rule/${added[1]}`),
    ];
    const states = [
      "base",
      "base one",
      "base one two",
      "base two uno",
      "base uno",
      "a base uno",
      "a base",
      "403",
      "base",
    ];
    const { logins, begins } = await logInDuring(v1, () => login(v1, name, GOOD), steps, "/acl/binding-rules");
    expectOneOf(logins, states);
    expectNothingStale(logins, states, begins);
  });

  test("while rules are written all the time nobody is refused, and what a deleted rule gave is given no more", async () => {
    const name = v1.unique("busy");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name, BindName: "base" });
    let rule = await makeRule(v1, { AuthMethod: name, BindName: "extra", Selector: 'value.team == "a"' });
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, number) => {
      for (let round = 0; !isOver; round++) {
        const made = await makeRule(v1, { AuthMethod: name, Selector: `value.team == "w${number}-${round}"` });
        if (round % 2 === 0) expect((await v1.delete(`/acl/binding-rule/${made}`)).text).toBe("true");
      }
    });
    const steps = [
      () => v1.delete(`/acl/binding-rule/${rule}`),
      async () => void (rule = await makeRule(v1, { AuthMethod: name, BindName: "extra" })),
      () => v1.put(`/acl/binding-rule/${rule}`, { AuthMethod: name, BindType: "service", BindName: "other" }),
    ];
    const { logins } = await logInDuring(v1, () => login(v1, name, GOOD), steps);
    isOver = true;
    await Promise.all(writers);
    expectOneOf(logins, ["base extra", "base", "base extra", "base other"]);
  });

  test("a role that is deleted and made again is given only while it is there, and never as a link to nothing", async () => {
    const name = v1.unique("roles");
    const Name = v1.unique("role");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name, BindType: "role", BindName: Name });
    let role = await v1.role({ Name });
    const ids = [role];
    const toggle = [
      () => v1.delete(`/acl/role/${role}`),
      async () => {
        role = await v1.role({ Name });
        ids.push(role);
      },
    ];
    const states = [Name, "403", Name, "403", Name, "403", Name];
    const steps = [...toggle, ...toggle, ...toggle];
    const { logins, begins } = await logInDuring(v1, () => login(v1, name, GOOD), steps, "/acl/roles");
    expectOneOf(logins, states);
    expectNothingStale(logins, states, begins);
    for (const { answer } of logins) {
      if (answer.status !== 200) continue;
      expect(ids).toContain(answer.body.Roles[0].ID);
      const { body } = await v1.get(`/acl/token/${answer.body.AccessorID}`);
      // Only the last role is still there.
      expect(body.Roles ?? []).toEqual(answer.body.Roles[0].ID === role ? answer.body.Roles : []);
    }
  });

  test("a method that is replaced: never the end, locality or namespace of one with the identity of another", async () => {
    const name = v1.unique("replaced");
    await makeNamespace(v1, { namespace: "elsewhere" });
    const other = createSigningKey("k2");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name, BindName: "${value.team}" });
    const steps = [
      () => makeMethod(v1, key, { Name: name, MaxTokenTTL: "5m", TokenLocality: "global" }),
      () => makeMethod(v1, key, { Name: name, NamespaceRules: [{ BindNamespace: "elsewhere" }] }),
      () => makeMethod(v1, key, { Name: name, Config: { ClaimMappings: { name: "team" } } }),
      () => makeMethod(v1, other, { Name: name }),
      () => makeMethod(v1, key, { Name: name, MaxTokenTTL: "5m" }),
    ];
    const token = bearer(key, { team: "a", name: "b" });
    const states = ["a", "a global ends", "a elsewhere", "b", "403", "a ends"];
    const { logins, begins } = await logInDuring(v1, () => login(v1, name, token), steps, "/acl/auth-methods");
    expectOneOf(logins, states);
    expectNothingStale(logins, states, begins);
  });

  test("64 clients that log in while the method is deleted: afterwards no token of it is alive", async () => {
    for (let round = 0; round < 3; round++) {
      const name = v1.unique("doomed");
      await makeMethod(v1, key, { Name: name });
      await makeRule(v1, { AuthMethod: name });
      const early = Array.from({ length: 32 }, () => login(v1, name, GOOD));
      const deleted = v1.delete(`/acl/auth-method/${name}`);
      const late = Array.from({ length: 32 }, () => login(v1, name, GOOD));
      const answers = await Promise.all([...early, ...late]);
      expect((await deleted).text).toBe("true");
      const statuses = new Set(answers.map(({ status }) => status));
      for (const status of statuses) expect([200, 403]).toContain(status);
      expect((await login(v1, name, GOOD)).status).toBe(403);
      const alive = () =>
        Promise.all(
          answers.map(async ({ status, body }) => {
            if (status !== 200) return;
            expect(await v1.get("/acl/token/self", body.SecretID)).toMatchObject({
              status: 403,
              text: "ACL not found",
            });
            expect((await v1.get(`/acl/token/${body.AccessorID}`)).status).toBe(404);
          }),
        );
      await alive();
      expect((await v1.get(`/acl/tokens?authmethod=${name}`)).body).toEqual([]);
      // Nor of one of the same name that is made afterwards.
      await makeMethod(v1, key, { Name: name });
      await alive();
      expect((await v1.get(`/acl/tokens?authmethod=${name}`)).body).toEqual([]);
    }
  });

  test("a method that is deleted and made anew all the time: a token counts only while its own method stands", async () => {
    const name = v1.unique("again");
    const make = async (BindName: string) => {
      await makeMethod(v1, key, { Name: name });
      await makeRule(v1, { AuthMethod: name, BindName });
    };
    await make("s0");
    const steps = [1, 2, 3].flatMap((number) => [
      () => v1.delete(`/acl/auth-method/${name}`),
      () => make(`s${number}`),
    ]);
    const { logins } = await logInDuring(v1, () => login(v1, name, GOOD), steps);
    expectOneOf(logins, ["s0", "403", "s1", "403", "s2", "403", "s3"]);
    for (const { answer } of logins) {
      if (answer.status !== 200) continue;
      const { status } = await v1.get("/acl/token/self", answer.body.SecretID);
      expect(status).toBe(givenBy(answer) === "s3" ? 200 : 403);
    }
  });

  describe("a namespace", () => {
    test.each(["where the method lies", "where the tokens go"])(
      "%s is marked: afterwards nobody logs in, and no token counts or is left",
      async (what) => {
        const namespace = v1.unique("space");
        const name = v1.unique("method");
        await makeNamespace(v1, { namespace });
        const isOwn = what === "where the method lies";
        const query = isOwn ? `?ns=${namespace}` : "";
        const NamespaceRules = isOwn ? [] : [{ BindNamespace: namespace }];
        await makeMethod(v1, key, { Name: name, NamespaceRules }, query);
        await makeRule(v1, { AuthMethod: name }, query);
        const enter = () => login(v1, name, GOOD, isOwn ? { Namespace: namespace } : {});
        const { logins } = await logInDuring(v1, enter, [() => v1.delete(`/namespace/${namespace}`)]);
        const good = logins.filter(({ answer }) => answer.status === 200);
        expect(good.length).toBeGreaterThan(0);
        for (const { answer, from, to } of logins) {
          if (from > 0) expect(answer.status, answer.text).toBe(403);
          else if (to > 0) expect([200, 403, 409], answer.text).toContain(answer.status);
          else expect(answer.status, answer.text).toBe(200);
        }
        const unknown = async () => {
          for (const { answer } of good) {
            expect((await v1.get("/acl/token/self", answer.body.SecretID)).status).toBe(403);
          }
        };
        await unknown();
        await finishDeletion(v1.db);
        await makeNamespace(v1, { namespace });
        await unknown();
        expect((await v1.get(`/acl/tokens?ns=${namespace}`)).body).toEqual([]);
      },
    );
  });

  test("a token is logged out while it is used: afterwards it is unknown to all", async () => {
    const name = v1.unique("logout");
    await makeMethod(v1, key, { Name: name });
    await makeRule(v1, { AuthMethod: name });
    for (let round = 0; round < 5; round++) {
      const { body } = await login(v1, name, GOOD);
      const use = () => v1.get("/acl/token/self", body.SecretID);
      const uses = Array.from({ length: 8 }, use);
      const ended = v1.post("/acl/logout", undefined, body.SecretID);
      await Promise.all([...uses, ...Array.from({ length: 8 }, use)]);
      expect((await ended).text).toBe("true");
      expect((await use()).status).toBe(403);
    }
  });
});

/** Logins while what they rest on changes: each token is what was right at some moment between its request and its answer. */
import { describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const CLIENTS = 16;
const GOOD = bearer(key, { team: "a" });

/** A login, and which states of the world stood while it went on. */
interface Timed {
  answer: Answer;
  from: number;
  to: number;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 0 } });

  /**
   * Logs in with many clients while `steps` are taken one after another. State `n` stands from some moment in step `n`
   * on: a login may have met each state from the last that was answered before it began to the last begun before it ended.
   */
  async function logInDuring(
    enter: () => Promise<Answer>,
    steps: readonly (() => Promise<unknown>)[],
  ): Promise<Timed[]> {
    const logins: Timed[] = [];
    let [begun, done, isOver] = [0, 0, false];
    async function client(): Promise<void> {
      while (!isOver) {
        const from = done;
        const answer = await enter();
        logins.push({ answer, from, to: begun });
      }
    }
    const clients = Array.from({ length: CLIENTS }, client);
    for (const step of steps) {
      const seen = logins.length;
      await expect.poll(() => logins.length - seen, { interval: 1, timeout: 10_000 }).toBeGreaterThan(CLIENTS * 2);
      begun++;
      await step();
      done++;
    }
    const seen = logins.length;
    await expect.poll(() => logins.length - seen, { interval: 1, timeout: 10_000 }).toBeGreaterThan(CLIENTS * 2);
    isOver = true;
    await Promise.all(clients);
    return logins;
  }

  /** Checks that each login gave what one of the states gives that it may have met. */
  function expectOneOf(logins: readonly Timed[], states: readonly string[]): void {
    for (const { answer, from, to } of logins) {
      const possible = states.slice(from, to + 1);
      expect(possible, `${answer.status} ${answer.text} in ${from} to ${to}`).toContain(givenBy(answer));
    }
    // Each was met, or the test shows nothing.
    for (const state of states) expect(logins.map(({ answer }) => givenBy(answer))).toContain(state);
  }

  function givenBy({ status, body }: Answer): string {
    if (status !== 200) return String(status);
    const { ServiceIdentities = [], Roles = [], ExpirationTime, Namespace, Local } = body;
    const names = [
      ...ServiceIdentities.map(({ ServiceName }: { ServiceName: string }) => ServiceName),
      ...Roles.map(({ Name }: { Name: string }) => Name),
    ];
    const more = [Namespace === "default" ? [] : Namespace, Local ? [] : "global", ExpirationTime ? "ends" : []];
    return [...names.toSorted((one, other) => (one < other ? -1 : 1)), ...more.flat()].join(" ");
  }

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
    expectOneOf(await logInDuring(() => login(v1, name, GOOD), steps), states);
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
    const logins = await logInDuring(() => login(v1, name, GOOD), [...toggle, ...toggle, ...toggle]);
    expectOneOf(logins, [Name, "403", Name, "403", Name, "403", Name]);
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
    expectOneOf(await logInDuring(() => login(v1, name, token), steps), states);
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
    const logins = await logInDuring(() => login(v1, name, GOOD), steps);
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
        const logins = await logInDuring(enter, [() => v1.delete(`/namespace/${namespace}`)]);
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

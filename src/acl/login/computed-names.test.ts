/** A name that stands in a claim is another system's word: it reaches nothing privileged, however it is spelled. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { makeIn, makeNamespace } from "../../../test/support/scopes.ts";
import { RESERVED, useV1, type V1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const GLOBAL_MANAGEMENT = `${RESERVED}01`;

const NAMES = ["default", "global-management", "builtin/global-read-only", "builtin/service", "namespace-management"];
const VARIANTS: readonly [what: string, vary: (name: string) => string][] = [
  ["as it is", (name) => name],
  ["in upper case", (name) => name.toUpperCase()],
  ["in mixed case", (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`],
  ["with a Kelvin sign or long s", (name) => name.replace("s", "\u{17f}").replace("n", "\u{274}")],
  [
    "in full width",
    (name) => name.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  ],
  ["with a Cyrillic letter", (name) => name.replace("e", "\u{435}").replace("i", "\u{456}")],
  ["with a space", (name) => ` ${name}`],
  ["with a joiner", (name) => `${name}\u{200d}`],
  ["with an accent of its own", (name) => name.replace("a", "a\u{301}").replace("u", "u\u{308}")],
  ["with NUL", (name) => `${name}\0`],
];
/** How a rule comes by the name. */
const TEMPLATES: readonly [template: string, claimsOf: (name: string) => object][] = [
  ["${value.team}", (name) => ({ team: name })],
  ["${value.team}${value.name}", (name) => ({ team: name.slice(0, 4), name: name.slice(4) })],
];
const CASES = NAMES.flatMap((name) => VARIANTS.map(([what, vary]) => [name, what, vary(name)] as const));

interface Given {
  status: number;
  body?: { Policies?: { ID: string }[]; Roles?: { ID: string }[]; Namespace: string; SecretID: string };
}

/** Checks that a login with a computed name does not have the permissions of an operator. */
async function expectPowerless(v1: V1, { status, body }: Given, allowed: readonly string[]): Promise<void> {
  if (status !== 200 || body === undefined) return;
  for (const { ID } of [...(body.Policies ?? []), ...(body.Roles ?? [])]) expect(allowed).toContain(ID);
  expect((await v1.get("/acl/policies", body.SecretID)).status).toBe(403);
  expect((await v1.put("/acl/policy", { Name: v1.unique("grab") }, body.SecretID)).status).toBe(403);
}

forEachEngine((_engine, makeUrl) => {
  describe("incident 8, 14: a computed name", () => {
    const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });
    const methods = new Map<string, string>();

    beforeAll(async () => {
      // Roles of the reserved names, with all the rights there are: an operator may have made them.
      const rights = await v1.policy('acl = "write"\noperator = "write"', "mighty");
      for (const Name of ["default", "global-management", "namespace-management"]) {
        await v1.role({ Name, Policies: [{ ID: rights }] });
      }
      await v1.policy('acl = "write"', "default");
      await makeNamespace(v1, { namespace: "target" });
      await makeIn(v1, { namespace: "target" }, "policy", { Name: "default", Rules: 'acl = "write"' });
      for (const where of ["own", "target"]) {
        for (const [index, [template]] of TEMPLATES.entries()) {
          for (const type of ["role", "policy", "templated-policy"]) {
            const name = `${type}-${where}-${index}`;
            const NamespaceRules = where === "own" ? [] : [{ BindNamespace: "Target" }];
            await makeMethod(v1, key, { Name: name, NamespaceRules });
            const BindVars = { Name: template };
            const rule =
              type === "templated-policy" ? { BindName: "builtin/service", BindVars } : { BindName: template };
            await makeRule(v1, { AuthMethod: name, BindType: type, ...rule });
            methods.set(name, type);
          }
        }
      }
    });

    test.each(CASES)("of a role or policy reaches nothing privileged: %s %s", async (_name, _what, name) => {
      for (const method of methods.keys()) {
        const [, claimsOf] = TEMPLATES[Number(method.at(-1))] ?? [];
        const answer = await login(v1, method, bearer(key, claimsOf?.(name)));
        await expectPowerless(v1, answer, []);
        if (!method.startsWith("templated")) expect(answer.status, answer.text).toBe(403);
      }
    });

    test.each(CASES)("of a namespace reaches none that is privileged: %s %s", async (_name, _what, name) => {
      for (const [template, claimsOf] of TEMPLATES) {
        const method = `ns-${TEMPLATES.findIndex(([each]) => each === template)}`;
        await makeMethod(v1, key, { Name: method, NamespaceRules: [{ BindNamespace: template }] });
        if ((await v1.get(`/acl/binding-rules?authmethod=${method}`)).body.length === 0) {
          await makeRule(v1, { AuthMethod: method });
        }
        const answer = await login(v1, method, bearer(key, claimsOf(name)));
        expect(answer.status, answer.text).toBe(403);
      }
    });
  });

  describe("a name that is written out", () => {
    const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

    test("may be any, and it is the role or policy of that name that is given", async () => {
      const role = await v1.role({ Name: "global-management" });
      const cases: [rule: object, given: object][] = [
        [{ BindType: "role", BindName: "Global-Management" }, { Roles: [{ ID: role, Name: "global-management" }] }],
        [
          { BindType: "policy", BindName: "global-management" },
          { Policies: [{ ID: GLOBAL_MANAGEMENT, Name: "global-management" }] },
        ],
      ];
      for (const [rule, given] of cases) {
        const name = v1.unique("literal");
        await makeMethod(v1, key, { Name: name });
        await makeRule(v1, { AuthMethod: name, ...rule });
        const answer = await login(v1, name, bearer(key));
        expect(answer.body, answer.text).toMatchObject(given);
      }
      const NamespaceRules = [{ Selector: "", BindNamespace: "DEFAULT" }];
      await makeMethod(v1, key, { Name: "to-default", NamespaceRules });
      await makeRule(v1, { AuthMethod: "to-default" });
      expect((await login(v1, "to-default", bearer(key))).body.Namespace).toBe("default");
    });

    test("counts although a rule before or behind it computes the same name", async () => {
      await makeMethod(v1, key, { Name: "both" });
      for (const BindName of ["${value.team}", "global-management", "${value.name}"]) {
        await makeRule(v1, { AuthMethod: "both", BindType: "policy", BindName });
      }
      const { body } = await login(v1, "both", bearer(key, { team: "global-management", name: "GLOBAL-management" }));
      expect(body.Policies).toEqual([{ ID: GLOBAL_MANAGEMENT, Name: "global-management" }]);
    });
  });

  describe("incident 14: policies that the server came with, renamed by the operator", () => {
    const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });
    test("are reached by their new name only where that is written out", async () => {
      const current = (await v1.get(`/acl/policy/${GLOBAL_MANAGEMENT}`)).body;
      const renamed = await v1.put(`/acl/policy/${GLOBAL_MANAGEMENT}`, { ...current, Name: "Root-Power" });
      expect(renamed.status, renamed.text).toBe(200);
      await makeMethod(v1, key, { Name: "computed" });
      await makeRule(v1, { AuthMethod: "computed", BindType: "policy", BindName: "${value.team}" });
      for (const team of ["root-power", "ROOT-POWER", "global-management"]) {
        const answer = await login(v1, "computed", bearer(key, { team }));
        expect(answer.status, answer.text).toBe(403);
        expect(answer.text).toMatch(/^Permission denied: the identity was verified/);
      }
      // Somebody else's policy has the old name now.
      await v1.policy('acl = "write"', "global-management");
      expect((await login(v1, "computed", bearer(key, { team: "global-management" }))).status).toBe(403);
      await makeMethod(v1, key, { Name: "literal" });
      await makeRule(v1, { AuthMethod: "literal", BindType: "policy", BindName: "root-power" });
      const { body, text } = await login(v1, "literal", bearer(key));
      expect(body?.Policies, text).toEqual([{ ID: GLOBAL_MANAGEMENT, Name: "Root-Power" }]);
    });
  });

  describe("the policy namespace-management", () => {
    const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });
    test("of a namespace is given by its written name alone", async () => {
      await makeNamespace(v1, { namespace: "tenant" });
      const policies = (await v1.get("/acl/policies?ns=tenant")).body as { ID: string; Name: string }[];
      const own = policies.find(({ Name }) => Name === "namespace-management");
      await makeMethod(v1, key, { Name: "m" }, "?ns=tenant");
      const rule = { AuthMethod: "m", BindType: "policy" };
      await makeRule(v1, { ...rule, Selector: 'value.name == "c"', BindName: "${value.team}" }, "?ns=tenant");
      await makeRule(v1, { ...rule, Selector: 'value.name == "l"', BindName: "namespace-management" }, "?ns=tenant");
      const enter = (claims: object) => login(v1, "m", bearer(key, claims), { Namespace: "tenant" });
      const answer = await enter({ name: "c", team: "Namespace-Management" });
      expect(answer.status, answer.text).toBe(403);
      const { body, text } = await enter({ name: "l" });
      expect(body?.Policies, text).toEqual([{ ID: own?.ID, Name: "namespace-management" }]);
    });
  });
});

import { describe, expect, test, vi } from "vitest";
import { identityOf, plainExpressions, storedRule } from "../../../test/support/binding-rules.ts";
import { compileBindingRules, type Bound, type StoredBindingRule } from "./compiled-binding-rules.ts";
import { LoginRefused } from "./binding.ts";

const ADA = identityOf({ team: "Web", env: "prod" }, { groups: ["admins", "staff"] });

async function boundBy(rules: readonly StoredBindingRule[], identity = ADA): Promise<Bound[]> {
  const compiled = await compileBindingRules(rules, plainExpressions);
  const bound = compiled.matching(identity);
  expect(await compiled.matchingInTurns(identity)).toEqual(bound);
  return bound;
}

async function refusalBy(rules: readonly StoredBindingRule[], identity = ADA): Promise<unknown> {
  const compiled = await compileBindingRules(rules, plainExpressions);
  const refusals: unknown[] = [];
  for (const ask of [() => compiled.matching(identity), async () => compiled.matchingInTurns(identity)]) {
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error;
      refusals.push({ message: error.message, bindingRuleId: error.bindingRuleId });
    }
  }
  expect(refusals).toHaveLength(2);
  expect(refusals[1]).toEqual(refusals[0]);
  return refusals[0];
}

describe("the rules that an identity matches", () => {
  test("give what they say, in order of their IDs, however they were handed over", async () => {
    const bound = await boundBy([
      storedRule("d", { selector: "value.team == Web", bindType: "role", bindName: "Team-${value.team}" }),
      storedRule("a", { selector: "value.team == Api" }),
      storedRule("c", { selector: '"admins" in list.groups', bindType: "policy", bindName: "admin" }),
      storedRule("b", { selector: "", bindName: "all" }),
      storedRule("e", {
        selector: "value.env matches `^p`",
        bindType: "templated-policy",
        bindName: "builtin/node",
        bindVars: { name: "${value.env}-1" },
      }),
    ]);
    const computed = { isComputed: true, isBarred: false };
    const literal = { isComputed: false, isBarred: false, variableName: undefined };
    expect(bound).toEqual([
      { bindingRuleId: "b", bindType: "service", name: "all", ...literal },
      { bindingRuleId: "c", bindType: "policy", name: "admin", ...literal },
      { bindingRuleId: "d", bindType: "role", name: "Team-web", variableName: undefined, ...computed },
      { bindingRuleId: "e", bindType: "templated-policy", name: "builtin/node", variableName: "prod-1", ...computed },
    ]);
  });

  test("give the same thing once", async () => {
    const rules = [
      storedRule("a"),
      storedRule("b"),
      storedRule("c", { bindType: "node" }),
      storedRule("d", { selector: "value.env == prod" }),
      storedRule("e", { bindType: "role", bindName: "Web" }),
      storedRule("f", { bindType: "role", bindName: "WEB" }),
      storedRule("g", { bindType: "templated-policy", bindName: "builtin/service", bindVars: { name: "web" } }),
      storedRule("h", {
        bindType: "templated-policy",
        bindName: "builtin/service",
        bindVars: { name: "${value.team}" },
      }),
      storedRule("i", { bindType: "templated-policy", bindName: "builtin/dns", bindVars: { name: "x" } }),
      storedRule("j", { bindType: "templated-policy", bindName: "builtin/dns" }),
    ];
    expect((await boundBy(rules)).map(({ bindingRuleId }) => bindingRuleId)).toEqual(["a", "c", "e", "g", "i"]);
  });

  test("give one templated policy once for each variable", async () => {
    const templated = { bindType: "templated-policy", bindName: "builtin/service" };
    const rules = ["web", "api", "${value.team}"].map((name, i) =>
      storedRule(String(i), { ...templated, bindVars: { name } }),
    );
    expect((await boundBy(rules)).map(({ variableName }) => variableName)).toEqual(["web", "api"]);
  });

  test("give a name that one of them writes out as that one does, whichever comes first", async () => {
    const computed = storedRule("a", { bindType: "policy", bindName: "${value.name}" });
    const literal = storedRule("b", { bindType: "policy", bindName: "Global-Management" });
    const identity = identityOf({ name: "global-management" });
    expect(await boundBy([computed], identity)).toMatchObject([
      { bindingRuleId: "a", isComputed: true, isBarred: true },
    ]);
    for (const rules of [
      [computed, literal],
      [
        { ...literal, id: "a" },
        { ...computed, id: "b" },
      ],
    ]) {
      expect(await boundBy(rules, identity)).toMatchObject([
        { name: "Global-Management", isComputed: false, isBarred: false },
      ]);
    }
  });

  test("are none where there are none", async () => {
    expect(await boundBy([])).toEqual([]);
    expect(await boundBy([storedRule("a", { selector: "value.team == Api" })])).toEqual([]);
  });

  test("leave out a variable where the template has none, whatever a claim would make of it", async () => {
    const rule = storedRule("a", {
      bindType: "templated-policy",
      bindName: "builtin/dns",
      bindVars: { name: "${value.name}" },
    });
    expect(await boundBy([rule], identityOf({ name: "\0 *" }))).toMatchObject([{ variableName: undefined }]);
  });
});

describe("a rule that cannot be followed", () => {
  test.each(["value.team ==", "value.team == `", "a matches `(`"])(
    "matches nobody when its selector is %j, and stops nobody else",
    async (selector) => {
      const rules = [storedRule("a", { selector, bindName: "no" }), storedRule("b")];
      expect(await boundBy(rules)).toMatchObject([{ bindingRuleId: "b" }]);
    },
  );

  test.each(["value.claim matches `a+`", "not (value.claim matches `a+`)", "value.claim not matches `a+`"])(
    "fails alone when its pattern gives up: %s",
    async (selector) => {
      const identity = identityOf({ claim: "a value that is too long" });
      const rules = [
        storedRule("a", { selector, bindName: "no" }),
        storedRule("b", { selector: `value.x == y or ${selector}`, bindName: "no-2" }),
        storedRule("c"),
      ];
      expect(await boundBy(rules, identity)).toMatchObject([{ bindingRuleId: "c" }]);
    },
  );

  test.each<[string, Partial<StoredBindingRule>, string]>([
    [
      "a variable that there is not",
      { bindName: "${value.x}" },
      "error interpreting template: 1:3: unknown variable accessed: value.x",
    ],
    ["a name that is none", { bindName: "${value.name}" }, 'invalid bind name: "a.b"'],
    ["an empty name", { bindName: "${value.empty}" }, 'invalid bind name: ""'],
    ["a policy's name with a slash", { bindType: "policy", bindName: "a/b" }, 'invalid bind name: "a/b"'],
    ["an unknown type", { bindType: "acl" }, 'invalid Binding Rule: unknown BindType "acl"'],
    [
      "a template that cannot be read",
      { bindName: "${" },
      "error interpreting template: parse error at 1:3: expected expression but found end of string",
    ],
    [
      "an unknown templated policy",
      { bindType: "templated-policy", bindName: "builtin/gone" },
      "Bind name for templated-policy bind type does not match existing template name: builtin/gone",
    ],
    [
      "a variable of a policy that there is not",
      { bindType: "templated-policy", bindName: "builtin/service", bindVars: { name: "${value.x}" } },
      "failed to interpret templated policy variables: 1:3: unknown variable accessed: value.x",
    ],
    [
      "a variable of a policy that does not fit",
      { bindType: "templated-policy", bindName: "builtin/node", bindVars: { name: "${value.name}" } },
      `templated policy failed validation: node identity "a.b"  has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
    ],
  ])("refuses the login for %s", async (_what, content, message) => {
    const identity = identityOf({ name: "a.b", empty: "" });
    const rules = [storedRule("a"), storedRule("b", content), storedRule("c", { bindName: "${value.x}" })];
    expect(await refusalBy(rules, identity)).toEqual({ message, bindingRuleId: "b" });
    // Whom it does not match it does not stop.
    const elsewhere = rules.map((rule) => (rule.id === "a" ? rule : { ...rule, selector: "value.name == other" }));
    expect(await boundBy(elsewhere, identity)).toMatchObject([{ bindingRuleId: "a" }]);
  });
});

describe("rules that are compiled again", () => {
  const rules = Array.from({ length: 50 }, (_, i) =>
    storedRule(String(100 + i), { selector: `value.team == t${i % 10}`, bindName: `s${i}`, modifyIndex: i }),
  );
  const team = (i: number) => identityOf({ team: `t${i}` });

  test("are taken over where they did not change, and read again where they did", async () => {
    const before = await compileBindingRules(rules, plainExpressions);
    const changed = [
      ...rules.filter(({ id }) => id !== "103" && id !== "105"),
      storedRule("105", { selector: "value.team == t3", bindName: "other", modifyIndex: 99 }),
      storedRule("199", { selector: "value.team == t3", bindName: "new", modifyIndex: 99 }),
    ];
    const after = await compileBindingRules(changed, plainExpressions, before);
    const anew = await compileBindingRules(changed, plainExpressions);
    for (let i = 0; i < 10; i++) expect(after.matching(team(i))).toEqual(anew.matching(team(i)));
    expect(after.matching(team(3)).map(({ name }) => name)).toEqual(["other", "s13", "s23", "s33", "s43", "new"]);
    expect(
      after.bindingRules.filter(({ plan }) => before.bindingRules.some((rule) => rule.plan === plan)),
    ).toHaveLength(48);
    expect(before.matching(team(3)).map(({ name }) => name)).toEqual(["s3", "s13", "s23", "s33", "s43"]);
  });

  test("count a grant once that is made by one that was taken over too", async () => {
    const before = await compileBindingRules([storedRule("a", { modifyIndex: 5 })], plainExpressions);
    const both = [storedRule("a", { modifyIndex: 5 }), storedRule("b", { modifyIndex: 7 })];
    const after = await compileBindingRules(both, plainExpressions, before);
    expect([...(await after.mostGiven()).values()]).toEqual([1]);
    expect([before.newest, after.newest]).toEqual([5, 7]);
  });

  test("put into words what they give, and nothing of those that are taken over, which keep it as long as they give it", async () => {
    const before = await compileBindingRules(rules, plainExpressions);
    const others = rules.slice(1).map(({ id, modifyIndex }) => ({ id, modifyIndex }));
    const changed = storedRule(rules[0]?.id ?? "", { bindName: "other", modifyIndex: 99 });
    const words = vi.spyOn(JSON, "stringify");
    const after = await compileBindingRules([changed, ...others], plainExpressions, before);
    const count = words.mock.calls.length;
    words.mockRestore();
    expect(count).toBe(1);
    expect(after.plans.size).toBe(new Set(after.bindingRules.map(({ plan }) => plan)).size);
    expect([...after.plans.keys()].filter((key) => !before.plans.has(key))).toEqual([expect.stringContaining("other")]);
  });

  test("do not trust an ID whose index moved, nor an index under another ID", async () => {
    const before = await compileBindingRules([storedRule("a", { bindName: "old", modifyIndex: 5 })], plainExpressions);
    for (const rule of [storedRule("a", { modifyIndex: 6 }), storedRule("b", { modifyIndex: 5 })]) {
      const after = await compileBindingRules([rule], plainExpressions, before);
      expect(after.matching(ADA)).toMatchObject([{ name: "web" }]);
    }
  });
});

describe("many rules", () => {
  const rules = Array.from({ length: 5000 }, (_, i) =>
    storedRule(String(10_000 + i), { selector: `value.team == t${i} and value.env != x`, bindName: `s${i}` }),
  );

  test("let others have their turn while they are compiled and asked", async () => {
    let turns = 0;
    let working = true;
    const tick = (): void => {
      turns++;
      if (working) setImmediate(tick);
    };
    setImmediate(tick);
    const compiled = await compileBindingRules(rules, plainExpressions);
    expect(turns).toBeGreaterThan(3);
    const before = turns;
    const everywhere = await compileBindingRules(
      rules.map((rule, i) => ({ ...rule, selector: `value.team != t${i}` })),
      plainExpressions,
    );
    await everywhere.matchingInTurns(ADA);
    working = false;
    expect(turns).toBeGreaterThan(before);
    expect(compiled.matching(identityOf({ team: "t77" }))).toMatchObject([{ name: "s77" }]);
  });

  test("are looked up: only those whose test the identity passes are candidates", async () => {
    const compiled = await compileBindingRules(rules, plainExpressions);
    expect(compiled.candidates(identityOf({ team: "t77", env: "x" }).fields)).toEqual([77]);
    expect(compiled.candidates(ADA.fields)).toEqual([]);
    expect(compiled.bytes).toBeGreaterThan(5000 * 200);
    expect(compiled.bytes).toBeLessThan(5000 * 3000);
  });
});

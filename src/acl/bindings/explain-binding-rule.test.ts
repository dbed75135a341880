import { describe, expect, test } from "vitest";
import { identityOf, plainExpressions, storedRule } from "../../../test/support/binding-rules.ts";
import { compileBindingRules, type StoredBindingRule } from "./compiled-binding-rules.ts";
import { explainBindingRules, MAX_REASON, type BindingRuleExplanation } from "./explain-binding-rule.ts";

const ADA = identityOf(
  { team: "Web", env: "prod", "first-name": 'Ada "the" 1st', claim: "too long" },
  { groups: ["admins", "staff"], many: ["a", "b", "c", "d", "e", "f", "g"], none: [] },
);

async function explained(content: Partial<StoredBindingRule>, identity = ADA): Promise<BindingRuleExplanation> {
  const compiled = await compileBindingRules([storedRule("a", content)], plainExpressions);
  const [explanation] = await explainBindingRules(compiled, identity);
  if (explanation === undefined) throw new Error("nothing is explained");
  return explanation;
}

describe("a selector", () => {
  test.each<[string, BindingRuleExplanation["verdict"], string]>([
    ["", "matched", "the selector is empty"],
    ["value.team == Web", "matched", 'value.team == "Web" is true: value.team is "Web"'],
    ["value.team == web", "not matched", 'value.team == "web" is false: value.team is "Web"'],
    ["value.x != web", "matched", 'value.x != "web" is true: value.x is absent'],
    ["not value.team == Web", "not matched", 'not value.team == "Web" is false: value.team is "Web"'],
    ["value.team matches `^a`", "not matched", 'value.team matches "^a" is false: value.team is "Web"'],
    [
      'value["first-name"] == x',
      "not matched",
      String.raw`value["first-name"] == "x" is false: value["first-name"] is "Ada \"the\" 1st"`,
    ],
    ["x in list.groups", "not matched", '"x" in list.groups is false: list.groups is ["admins", "staff"]'],
    ["list.none is not empty", "not matched", "list.none is not empty is false: list.none is []"],
    [
      "list.many is empty",
      "not matched",
      'list.many is empty is false: list.many is ["a", "b", "c", "d", "e", … 2 more]',
    ],
    ["x in list", "not matched", '"x" in list is false: list is {"groups", "many", "none"}'],
    [
      "value.team == Web and value.env == dev and value.x == y",
      "not matched",
      'value.env == "dev" is false: value.env is "prod"',
    ],
    [
      "value.team == Web and value.env == prod",
      "matched",
      'value.team == "Web" is true: value.team is "Web"; value.env == "prod" is true: value.env is "prod"',
    ],
    [
      "value.team == a or value.env == b",
      "not matched",
      'value.team == "a" is false: value.team is "Web"; value.env == "b" is false: value.env is "prod"',
    ],
    ["value.team == a or value.env == prod", "matched", 'value.env == "prod" is true: value.env is "prod"'],
    [
      "not (value.team == Web and (value.env == a or value.env == prod))",
      "not matched",
      'value.team == "Web" is true: value.team is "Web"; value.env == "prod" is true: value.env is "prod"',
    ],
    ["value.team ==", "failed", "Selector is invalid: 1:14 (13): no match found"],
    ["value.claim matches `^t.*g$`", "failed", 'value.claim matches "^t.*g$" failed: the value is too long'],
    ["value.x == y or value.claim matches `t.`", "failed", 'value.claim matches "t." failed: the value is too long'],
  ])("%j is explained by the tests that decided", async (selector, verdict, reason) => {
    const explanation = await explained({ selector });
    expect(explanation.verdict).toBe(verdict);
    expect(explanation.reason.replace(/, expected: .*/, "")).toBe(reason);
  });
});

describe("what a rule gives", () => {
  test("is told where it matches, and nowhere else", async () => {
    const matched = await explained({ bindType: "role", bindName: "${value.team}" });
    expect(matched.bound).toMatchObject({ bindingRuleId: "a", bindType: "role", name: "web", isComputed: true });
    expect((await explained({ selector: "value.team == x" })).bound).toBeUndefined();
  });

  test.each<[Partial<StoredBindingRule>, string]>([
    [{ bindName: "${value.x}" }, "error interpreting template: 1:3: unknown variable accessed: value.x"],
    [{ bindName: "${value.first-name}" }, String.raw`invalid bind name: "ada \"the\" 1st"`],
    [
      { bindType: "templated-policy", bindName: "builtin/gone" },
      "Bind name for templated-policy bind type does not match existing template name: builtin/gone",
    ],
  ])("fails, and with it the login: %j", async (content, reason) => {
    expect(await explained(content)).toEqual({ id: "a", verdict: "failed", reason, bound: undefined, isRefusal: true });
    expect(await explained({ ...content, selector: "value.team == x" })).toMatchObject({ isRefusal: false });
  });

  test("is nothing where a computed name is one that it does not reach, and says so", async () => {
    const content = { bindType: "policy", bindName: "global-${value.name}" };
    const explanation = await explained(content, identityOf({ name: "Management" }));
    expect(explanation).toMatchObject({ verdict: "matched", bound: { isBarred: true } });
    expect(explanation.reason).toBe(
      'grants nothing: "global-management" is reserved, and computed names cannot select it; the name is folded from "Management"; the selector is empty',
    );
  });
});

describe("a reason", () => {
  test.each<[string, Partial<StoredBindingRule>]>([
    ["many arms", { selector: Array.from({ length: 400 }, (_, i) => `value.x == y${i}`).join(" or ") }],
    ["a long value", { selector: `value.team == "${"x".repeat(8000)}"` }],
    ["a long claim", { selector: "value.long == x" }],
    ["a long name of a claim", { selector: `value["${"é".repeat(4000)}"] == x` }],
    ["pairs of surrogates", { selector: `value["${"😀".repeat(2000)}"] == "${"a😀".repeat(10)}"` }],
    ["a long name", { bindName: "${value.long}" }],
    ["an invalid selector", { selector: `value.a matches \`(${"x".repeat(8000)}\`` }],
    ["an unknown policy", { bindType: "templated-policy", bindName: "x".repeat(8000) }],
  ])("is bounded and well formed: %s", async (_what, content) => {
    const { reason } = await explained(content, identityOf({ long: "ÿ😀".repeat(10_000) }));
    expect(reason.length).toBeLessThanOrEqual(MAX_REASON);
    expect(reason.isWellFormed()).toBe(true);
  });
});

describe("many rules", () => {
  const rules = Array.from({ length: 3000 }, (_, i) =>
    storedRule(String(10_000 + i), { selector: `value.team == t${i % 100}`, bindName: `s${i}` }),
  );

  test("are explained in order of their IDs, the same as logins decide", async () => {
    const compiled = await compileBindingRules([...rules].toReversed(), plainExpressions);
    const identity = identityOf({ team: "t7" });
    const explanations = await explainBindingRules(compiled, identity);
    expect(explanations.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    const matched = explanations.filter(({ verdict }) => verdict === "matched");
    expect(matched.map(({ bound }) => bound)).toEqual(compiled.matching(identity));
    expect(matched).toHaveLength(30);
  });

  test("are explained as far as is asked: the candidates alone, and the first of them", async () => {
    const compiled = await compileBindingRules(rules, plainExpressions);
    const identity = identityOf({ team: "t7" });
    const explanations = await explainBindingRules(compiled, identity, { candidatesOnly: true, most: 20 });
    expect(explanations.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, i) => String(10_000 + i * 100 + 7)),
    );
  });

  test("let others have their turn meanwhile", async () => {
    let turns = 0;
    let working = true;
    const tick = (): void => {
      turns++;
      if (working) setImmediate(tick);
    };
    const distinct = rules.map((rule, i) => ({ ...rule, selector: `value.team == t${i} or value.env != e${i}` }));
    const compiled = await compileBindingRules(distinct, plainExpressions);
    setImmediate(tick);
    await explainBindingRules(compiled, ADA);
    working = false;
    expect(turns).toBeGreaterThan(1);
  });
});

import { describe, expect, test } from "vitest";
import { identityOf, storedRule } from "../../../test/support/binding-rules.ts";
import type { VerifiedIdentity } from "../../identities/validator.ts";
import { compileBindingRules, type StoredBindingRule } from "./compiled-binding-rules.ts";
import { explainBindingRules } from "./explain-binding-rule.ts";
import { createRegularExpressions } from "./regular-expressions.ts";
import { MAX_LOGIN_WORK, MAX_SELECTOR_WORK } from "./work-budget.ts";

const { lazy } = createRegularExpressions();

/** A hundred instructions and some, without any literal text. */
const heavy = (i: number): string => `(?:[a-y]?){40}[a-x]{1,${i + 1}}`;

function selectorOf(count: number, from = 0): string {
  return Array.from({ length: count }, (_, i) => `value.claim matches \`${heavy(from + i)}\``).join(" and ");
}

function rulesOf(...selectors: readonly string[]): StoredBindingRule[] {
  return selectors.map((selector, i) => {
    const name = String(1000 + i);
    return storedRule(name, { selector, bindName: `rule-${name}` });
  });
}

/** IDs of the rules that match; explained rules must say the same. */
async function matchingBy(rules: readonly StoredBindingRule[], identity: VerifiedIdentity): Promise<string[]> {
  const compiled = await compileBindingRules(rules, lazy);
  const ids = (await compiled.matchingInTurns(identity)).map(({ bindingRuleId }) => bindingRuleId);
  expect(compiled.matching(identity).map(({ bindingRuleId }) => bindingRuleId)).toEqual(ids);
  const explained = await explainBindingRules(compiled, identity);
  expect(explained.filter(({ verdict }) => verdict === "matched").map(({ id }) => id)).toEqual(ids);
  return ids;
}

describe("the regular expressions of one selector", () => {
  const claim = identityOf({ claim: "a".repeat(300) });

  test("that take too long together match nobody, and others are asked as ever", async () => {
    const rules = rulesOf(selectorOf(20), selectorOf(2), `not (${selectorOf(20)}) or value.x != y`, "");
    expect(await matchingBy(rules, claim)).toEqual(["1001", "1003"]);
  });

  test("count alike whether their answers are remembered or not", async () => {
    const rules = rulesOf(...Array.from({ length: 20 }, (_, i) => selectorOf(1, i)), selectorOf(20));
    expect(await matchingBy(rules, claim)).toHaveLength(20);
  });

  test("that gave up are asked anew about a shorter text, and by the next login", async () => {
    const compiled = await compileBindingRules(rulesOf(selectorOf(20)), lazy);
    const boundOf = (length: number): number => compiled.matching(identityOf({ claim: "a".repeat(length) })).length;
    expect([boundOf(300), boundOf(30), boundOf(300), boundOf(30)]).toEqual([0, 1, 0, 1]);
  });

  test("are explained by what they came to", async () => {
    const [rule] = await explainBindingRules(await compileBindingRules(rulesOf(selectorOf(20)), lazy), claim);
    expect(rule?.verdict).toBe("failed");
    expect(rule?.reason).toMatch(/failed: the values are too long for all regular expressions of the selector$/);
  });

  test("count once where they are the same", async () => {
    const selector = Array.from({ length: 50 }, () => selectorOf(1)).join(" and ");
    expect(await matchingBy(rulesOf(selector), claim)).toEqual(["1000"]);
  });

  test("whose literal text decides take nothing", async () => {
    const longClaim = identityOf({ claim: "a".repeat(30_000) });
    const pattern = "value.claim not matches `(?:[a-y]?){40}z`";
    const selector = Array.from({ length: 100 }, () => pattern).join(" and ");
    expect(await matchingBy(rulesOf(selector), longClaim)).toEqual(["1000"]);
  });
});

describe("literal texts that are looked for", () => {
  const pattern = (i: number): string => `(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)c${i}`;
  const selector = Array.from({ length: 130 }, (_, i) => `value.claim matches \`${pattern(i)}\``).join(" or ");

  test("in long texts count as well", async () => {
    const rules = rulesOf(selector);
    expect(await matchingBy(rules, identityOf({ claim: `${"a".repeat(1000)}c129` }))).toEqual(["1000"]);
    expect(await matchingBy(rules, identityOf({ claim: `${"a".repeat(30_000)}c129` }))).toEqual([]);
  });
});

describe("the regular expressions of one login", () => {
  // Each selector comes near to what one may take.
  const length = 1200;
  const identity = identityOf({ claim: "a".repeat(length), team: "web" });
  const most = MAX_LOGIN_WORK / MAX_SELECTOR_WORK;

  test("are asked in the order of the rules until its budget is used up; what needs none is asked to the end", async () => {
    const selectors = Array.from({ length: 400 }, (_, i) => `${selectorOf(1, i)} and value.team != x`);
    const ids = await matchingBy(rulesOf(...selectors, "value.team == web", "value.team matches `^web$`"), identity);
    const first = ids.slice(0, -2);
    expect(first.length).toBeGreaterThan(most);
    expect(first.length).toBeLessThan(400);
    expect(first).toEqual(Array.from(first, (_, i) => String(1000 + i)));
    expect(ids.slice(-2)).toEqual(["1400", "1401"]);
    // The first that is not asked any more is none that gives up by itself.
    expect(await matchingBy(rulesOf(selectors[first.length] ?? ""), identity)).toEqual(["1000"]);
  });

  test("count once for all rules that have the same", async () => {
    const selectors = Array.from({ length: 1000 }, (_, i) => `value.team != "x-${i}" and ${selectorOf(1)}`);
    expect(await matchingBy(rulesOf(...selectors), identity)).toHaveLength(1000);
  });

  test("count alike after a rule has changed", async () => {
    const rules = rulesOf(
      ...Array.from({ length: 400 }, (_, i) => `value.team != "x-${i}" and ${selectorOf(1, i % 100)}`),
    );
    const before = await compileBindingRules(rules, lazy);
    const changed = rules.map((rule, i) =>
      i < 100 ? { ...rule, modifyIndex: 2, selector: `${rule.selector} ` } : rule,
    );
    const after = await compileBindingRules(changed, lazy, before);
    expect(after.matching(identity)).toEqual((await compileBindingRules(changed, lazy)).matching(identity));
  });

  test("are far below it for ten thousand ordinary patterns", async () => {
    const ordinary = Array.from(
      { length: 10_000 },
      (_, i) => `value.sub matches "^[a-z]+:[a-z-]+/[a-z-]+(:|-${i}-)[0-9]+$"`,
    );
    const compiled = await compileBindingRules(rulesOf(...ordinary), lazy);
    expect(compiled.matching(identityOf({ sub: "repo:acme/app-one:12345", team: "web" }))).toHaveLength(10_000);
  });
});

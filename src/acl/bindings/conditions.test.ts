import { describe, expect, test } from "vitest";
import { identityOf, plainExpressions, storedRule } from "../../../test/support/binding-rules.ts";
import { compileBindingRules } from "./compiled-binding-rules.ts";
import { conditionsOfRules } from "./conditions.ts";
import { explainBindingRules } from "./explain-binding-rule.ts";

const IDENTITY = identityOf({ repository: "example/web", environment: "staging" }, { groups: ["ops"] });

async function conditionsOf(...selectors: string[]) {
  const rules = selectors.map((selector, index) => storedRule(`rule-${index}`, { selector }));
  const compiled = await compileBindingRules(rules, plainExpressions);
  return conditionsOfRules(compiled, IDENTITY, await explainBindingRules(compiled, IDENTITY));
}

describe("the conditions of a selector that does not match", () => {
  test("are counted, and the false ones are named with their place", async () => {
    const selector = 'value.repository == "example/web" and (ops in list.groups and value.environment == "prod")';
    const found = (await conditionsOf(selector)).get("rule-0");
    expect(found).toMatchObject({ total: 3, met: 2 });
    const [unmet] = found?.unmet ?? [];
    expect(unmet?.name).toBe("value.environment");
    expect(unmet?.reason).toBe('value.environment == "prod" is false: value.environment is "staging"');
    expect(selector.slice(unmet?.start, unmet?.end)).toBe('value.environment == "prod"');
  });

  test("an or, a not and a single test are one condition each", async () => {
    const found = await conditionsOf(
      "value.repository == a or value.environment == b",
      'not value.environment == "staging"',
      "value.team == web",
    );
    expect([...found.values()].map(({ total, met, unmet }) => [total, met, unmet.map(({ name }) => name)])).toEqual([
      [1, 0, ["value.repository"]],
      [1, 0, ["value.environment"]],
      [1, 0, ["value.team"]],
    ]);
  });

  test("rules that match or failed have none, and only the first five false ones are described", async () => {
    const many = Array.from({ length: 8 }, (_, index) => `value.x${index} == y`).join(" and ");
    const found = await conditionsOf("value.environment == staging", "value.environment ==", many);
    expect([...found.keys()]).toEqual(["rule-2"]);
    expect(found.get("rule-2")).toMatchObject({ total: 8, met: 0 });
    expect(found.get("rule-2")?.unmet).toHaveLength(5);
  });
});

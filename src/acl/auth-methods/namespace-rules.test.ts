import { describe, expect, test } from "vitest";
import { identityOf, mappedForm, plainExpressions } from "../../../test/support/binding-rules.ts";
import { AppError } from "../../errors.ts";
import { LoginRefused } from "../bindings/login-refused.ts";
import {
  checkNamespaceRules,
  compileNamespaceRules,
  type ChosenNamespace,
  type NamespaceRule,
} from "./namespace-rules.ts";

const FORM = mappedForm("team", "env");

function problemOf(...rules: readonly Partial<NamespaceRule>[]): string | undefined {
  try {
    const whole = rules.map((rule) => ({ selector: "", bindNamespace: "team", ...rule }));
    checkNamespaceRules(whole, FORM, plainExpressions);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("invalid");
    return error.message;
  }
}

describe("namespace rules that are written", () => {
  test("are taken when they fit", () => {
    expect(problemOf()).toBeUndefined();
    expect(
      problemOf({ selector: 'value.team == x and "a" in list.groups', bindNamespace: "NS-${value.team}" }, {}),
    ).toBe(undefined);
    expect(problemOf(...Array.from({ length: 128 }, () => ({})))).toBeUndefined();
  });

  test.each<[Partial<NamespaceRule>, string]>([
    [{ selector: "team == x" }, '[1].Selector is invalid: Selector "team" is not valid'],
    [{ selector: "value.a matches `(`" }, '[1].Selector is invalid: Failed to compile regular expression "("'],
    [{ selector: "value.a ==" }, "[1].Selector is invalid: 1:11 (10): no match found"],
    [{ bindNamespace: "" }, "[1]: no BindNamespace is set"],
    [{ bindNamespace: "${" }, "[1].BindNamespace is invalid: error interpreting template: parse error at 1:3"],
    [
      { bindNamespace: "${value.x}" },
      "[1].BindNamespace is invalid: error interpreting template: 1:3: unknown variable accessed: value.x",
    ],
    [{ bindNamespace: "a_b" }, '[1].BindNamespace is invalid: invalid bind namespace: "a_b"'],
    [{ bindNamespace: "-${value.team}" }, '[1].BindNamespace is invalid: invalid bind namespace: "-fake"'],
    [{ bindNamespace: "a.b" }, '[1].BindNamespace is invalid: invalid bind namespace: "a.b"'],
    [{ bindNamespace: "*" }, '[1].BindNamespace is invalid: invalid bind namespace: "*"'],
    [{ bindNamespace: "x".repeat(64) }, '[1].BindNamespace is invalid: invalid bind namespace: "xxx'],
  ])("are refused by the place and cause: %j", (rule, text) => {
    const problem = problemOf({}, rule, { bindNamespace: "" });
    expect(problem?.startsWith(`Invalid Auth Method: NamespaceRules${text}`)).toBe(true);
  });

  test("are at most 128", () => {
    expect(problemOf(...Array.from({ length: 129 }, () => ({})))).toBe(
      "Invalid Auth Method: NamespaceRules has 129 entries; at most 128 are allowed",
    );
  });
});

function chosenBy(rules: readonly NamespaceRule[], values: Record<string, string>): ChosenNamespace | undefined {
  return compileNamespaceRules(rules, plainExpressions).choose(identityOf(values));
}

describe("the namespace of a login", () => {
  const rules: readonly NamespaceRule[] = [
    { selector: "value.team == Web", bindNamespace: "Web-Team" },
    { selector: "value.env == never", bindNamespace: "never" },
    { selector: 'value.env != "dev"', bindNamespace: "${value.env}-${value.team}" },
    { selector: "", bindNamespace: "rest" },
  ];

  test("is that of the first rule that matches, folded", () => {
    const literal = { isComputed: false, isBarred: false };
    expect(chosenBy(rules, { team: "Web", env: "prod" })).toEqual({ name: "web-team", index: 0, ...literal });
    expect(chosenBy(rules, { team: "Api", env: "dev" })).toEqual({ name: "rest", index: 3, ...literal });
    expect(chosenBy(rules, { team: "Api", env: "Prod" })).toEqual({
      name: "prod-api",
      index: 2,
      isComputed: true,
      isBarred: false,
    });
  });

  test("is none where no rule matches, or there is none", () => {
    expect(chosenBy(rules.slice(0, 1), { team: "Api" })).toBeUndefined();
    expect(chosenBy([], { team: "Api" })).toBeUndefined();
  });

  test("is left to later rules by one whose selector fails or means nothing any more", () => {
    const last = { selector: "", bindNamespace: "last" };
    for (const selector of [
      "value.team matches `t.`",
      "value.team not matches `t.`",
      "value.team =",
      "a matches `(`",
    ]) {
      const chosen = chosenBy([{ selector, bindNamespace: "first" }, last], { team: "too long" });
      expect(chosen?.name).toBe("last");
    }
  });

  test.each([
    ["${value.team}", "a.b", 'invalid bind namespace: "a.b"'],
    ["${value.team}", "", 'invalid bind namespace: ""'],
    ["${value.team}", "ü", 'invalid bind namespace: "ü"'],
    ["${value.team}", "a\nb", String.raw`invalid bind namespace: "a\nb"`],
    ["${value.team}", "x".repeat(9000), "error interpreting template: result is longer than 8192 characters"],
    ["${value.x}", "a", "error interpreting template: 1:3: unknown variable accessed: value.x"],
    ["${", "a", "error interpreting template: parse error at 1:3: expected expression but found end of string"],
  ])("is refused where the rule that decides gives none: %s", (bindNamespace, team, message) => {
    const rest = { selector: "", bindNamespace: "rest" };
    expect(() => chosenBy([{ selector: "", bindNamespace }, rest], { team })).toThrow(
      new LoginRefused(message, undefined),
    );
  });
});

import { describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import { identityOf, mappedForm, plainExpressions } from "../../../test/support/binding-rules.ts";
import { AppError } from "../../errors.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { LoginRefused } from "../bindings/binding.ts";
import { createRegularExpressions } from "../bindings/regular-expressions.ts";
import { checkNamespaceRules, compileNamespaceRules, type ChosenNamespace } from "./namespace-rules.ts";
import type { NamespaceRule } from "./store.ts";

const FORM = mappedForm("team", "env");

async function problemOf(...rules: readonly Partial<NamespaceRule>[]): Promise<string | undefined> {
  try {
    const whole = rules.map((rule) => ({ selector: "", bindNamespace: "team", ...rule }));
    await checkNamespaceRules(whole, FORM, plainExpressions);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("invalid");
    return error.message;
  }
}

describe("namespace rules that are written", () => {
  test("are taken when they fit", async () => {
    expect(await problemOf()).toBeUndefined();
    expect(
      await problemOf({ selector: 'value.team == x and "a" in list.groups', bindNamespace: "NS-${value.team}" }, {}),
    ).toBe(undefined);
    expect(await problemOf(...Array.from({ length: 128 }, () => ({})))).toBeUndefined();
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
  ])("are refused by the place and cause: %j", async (rule, text) => {
    const problem = await problemOf({}, rule, { bindNamespace: "" });
    expect(problem?.startsWith(`Invalid Auth Method: NamespaceRules${text}`)).toBe(true);
  });

  test("are at most 128", async () => {
    expect(await problemOf(...Array.from({ length: 129 }, () => ({})))).toBe(
      "Invalid Auth Method: NamespaceRules has 129 entries; at most 128 are allowed",
    );
  });

  test("have selectors of 64 KiB together at most", async () => {
    const long = (length: number): string => `value.team == "${"é".repeat((length - 16) / 2)}"`;
    const rules = Array.from({ length: 8 }, () => ({ selector: long(8192) }));
    expect(await problemOf(...rules)).toBeUndefined();
    expect(await problemOf(...rules, { selector: "value.team == a" })).toBe(
      "Invalid Auth Method: the selectors of NamespaceRules have 65551 bytes together; at most 65536 are allowed",
    );
  });

  test("have regular expressions that are not too large together, in one selector or in all", async () => {
    const heavy = (letter: string): string => `value.team matches \`${letter}(?:b?){1000}\``;
    const selectors = Array.from("acdefghij", heavy);
    const places = selectors.map((selector) => ({ selector }));
    expect(await problemOf(...places.slice(0, 7))).toBeUndefined();
    expect(await problemOf(...places)).toMatch(
      /NamespaceRules\[\d\]\.Selector is invalid: .*: the regular expressions of NamespaceRules exceed the total size limit$/,
    );
    expect(await problemOf({ selector: selectors.join(" or ") })).toMatch(
      /NamespaceRules\[0\]\.Selector is invalid: .*: the regular expressions of the selector exceed the total size limit$/,
    );
  });
});

async function chosenBy(
  rules: readonly NamespaceRule[],
  values: Record<string, string>,
  engine: RegularExpressions = plainExpressions,
): Promise<ChosenNamespace | undefined> {
  return (await compileNamespaceRules(rules, engine)).choose(identityOf(values));
}

describe("the namespace of a login", () => {
  const rules: readonly NamespaceRule[] = [
    { selector: "value.team == Web", bindNamespace: "Web-Team" },
    { selector: "value.env == never", bindNamespace: "never" },
    { selector: 'value.env != "dev"', bindNamespace: "${value.env}-${value.team}" },
    { selector: "", bindNamespace: "rest" },
  ];

  test("is that of the first rule that matches, folded", async () => {
    const literal = { isComputed: false, isBarred: false };
    expect(await chosenBy(rules, { team: "Web", env: "prod" })).toEqual({ name: "web-team", index: 0, ...literal });
    expect(await chosenBy(rules, { team: "Api", env: "dev" })).toEqual({ name: "rest", index: 3, ...literal });
    expect(await chosenBy(rules, { team: "Api", env: "Prod" })).toEqual({
      name: "prod-api",
      index: 2,
      isComputed: true,
      isBarred: false,
    });
  });

  test("is none where no rule matches, or there is none", async () => {
    expect(await chosenBy(rules.slice(0, 1), { team: "Api" })).toBeUndefined();
    expect(await chosenBy([], { team: "Api" })).toBeUndefined();
  });

  test.each(["value.team matches `t.`", "value.team not matches `t.`", "value.team =", "a matches `(`"])(
    "is left to no later rule by one that cannot be decided: %s",
    async (selector) => {
      const asked = ["value.team == x", selector, ""].map((each) => ({ selector: each, bindNamespace: "team" }));
      await expect(chosenBy(asked, { team: "too long" })).rejects.toThrow(
        new LoginRefused("NamespaceRules[1] could not be decided", undefined),
      );
      expect(await chosenBy(asked, { team: "x" })).toMatchObject({ index: 0 });
    },
  );

  test("is chosen by no claim that is too long for the rules", async () => {
    const { lazy } = createRegularExpressions();
    const asked = Array.from({ length: 128 }, (_, i) => ({
      selector: `value.team matches \`^(?:[a-y]?){20}[b-z]{0,${i}}$\``,
      bindNamespace: "team",
    }));
    const last = { selector: "", bindNamespace: "last" };
    const choose = async (length: number) => chosenBy([...asked, last], { team: "a".repeat(length) }, lazy);
    expect(await choose(100)).toMatchObject({ name: "last", index: 128 });
    // One selector that takes too long, and all of them together.
    await expect(choose(30_000)).rejects.toThrow("NamespaceRules[0] could not be decided");
    await expect(choose(2500)).rejects.toThrow(/NamespaceRules\[[1-9]\d\] could not be decided/);
  });

  test("is decided in turns of the event loop", async () => {
    const { lazy } = createRegularExpressions();
    const asked = Array.from({ length: 60 }, (_, i) => ({
      selector: `value.team matches \`^(?:[a-y]?){100}[b-z]{0,${i}}$\``,
      bindNamespace: "team",
    }));
    let turns = 0;
    let isWorking = true;
    const tick = (): void => {
      turns++;
      if (isWorking) setImmediate(tick);
    };
    setImmediate(tick);
    expect(await chosenBy(asked, { team: `${"a".repeat(500)}.` }, lazy)).toBeUndefined();
    isWorking = false;
    expect(turns).toBeGreaterThan(5);
  });

  test.each(
    (
      [
        ["${value.team}", "a.b", 'invalid bind namespace: "a.b"'],
        ["${value.team}", "", 'invalid bind namespace: ""'],
        ["${value.team}", "ü", 'invalid bind namespace: "ü"'],
        ["${value.team}", "a\nb", String.raw`invalid bind namespace: "a\nb"`],
        ["${value.team}", "x".repeat(9000), "error interpreting template: result is longer than 8192 characters"],
        ["${value.x}", "a", "error interpreting template: 1:3: unknown variable accessed: value.x"],
        ["${", "a", "error interpreting template: parse error at 1:3: expected expression but found end of string"],
      ] as const
    ).map(([template, team, message]) => [template, shown(team), team, message] as const),
  )("is refused where the rule that decides gives none: %s of %s", async (bindNamespace, _shown, team, message) => {
    const rest = { selector: "", bindNamespace: "rest" };
    await expect(chosenBy([{ selector: "", bindNamespace }, rest], { team })).rejects.toThrow(
      new LoginRefused(message, undefined),
    );
  });
});

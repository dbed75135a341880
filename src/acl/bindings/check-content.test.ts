import { describe, expect, test } from "vitest";
import { mappedForm, plainExpressions } from "../../../test/support/binding-rules.ts";
import { AppError } from "../../errors.ts";
import type { IdentityForm } from "../../identities/validator.ts";
import { type BindingRuleContent, checkContent } from "./binding.ts";

const FORM = mappedForm("team", "env", "first-name");
const GOOD: BindingRuleContent = { selector: "", bindType: "service", bindName: "web", bindVars: undefined };

function problemOf(content: Partial<BindingRuleContent>, form: IdentityForm = FORM): string | undefined {
  try {
    checkContent({ ...GOOD, ...content }, form, plainExpressions);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("invalid");
    return error.message;
  }
}

describe("a selector", () => {
  test.each([
    ["", undefined],
    ['value.team == "a" and "b" in list.groups', undefined],
    ["value.zz == x", undefined],
    ["value.team matches `^a(b|c)+`", undefined],
    ['value.team == "a', '1:17 (16): rule "string": Unterminated string literal'],
    ["value.a.b == x", 'Selector "value.a.b" is not valid'],
    ["team == x", 'Selector "team" is not valid'],
    ["value == x", 'Invalid match operator "Equal" for selector "value"'],
    ["list.groups == x", 'Invalid match operator "Equal" for selector "list.groups"'],
    [
      'value.team matches "("',
      'Failed to compile regular expression "(": Invalid regular expression: /(/u: Unterminated group',
    ],
  ])("%j is taken, or refused with its cause", (selector, cause) => {
    const text = cause === undefined ? undefined : `invalid Binding Rule: Selector is invalid: ${cause}`;
    expect(problemOf({ selector })).toBe(text);
  });

  test("has its limits", () => {
    const prefix = "invalid Binding Rule: Selector is invalid: ";
    expect(problemOf({ selector: `a == "${"x".repeat(8192)}"` })).toBe(`${prefix}longer than 8192 bytes`);
    expect(problemOf({ selector: `${"(".repeat(101)}a == b` })).toBe(
      `${prefix}1:101 (100): nested deeper than 100 levels`,
    );
  });

  test("is checked against what the identities of the method hold", () => {
    const form: IdentityForm = {
      shape: { kind: "structure", fields: new Map([["account_id", { kind: "text" }]]) },
      variables: new Set(),
    };
    expect(problemOf({ selector: "account_id == 1" }, form)).toBeUndefined();
    expect(problemOf({ selector: "value.team == x" }, form)).toContain('Selector "value" is not valid');
  });
});

describe("the checks", () => {
  test.each<[string, Partial<BindingRuleContent>, string]>([
    [
      "selector",
      { selector: "=", bindType: "", bindName: "" },
      'invalid Binding Rule: Selector is invalid: 1:1 (0): no match found, expected: "(", "-", "0", "\\"", "`", "not", [ \\t\\r\\n], [1-9] or [a-zA-Z]',
    ],
    ["type", { bindType: "", bindName: "" }, "Invalid Binding Rule: no BindType is set"],
    ["name", { bindName: "", bindVars: { name: "x" } }, "Invalid Binding Rule: no BindName is set"],
    [
      "variables of other types",
      { bindType: "foobar", bindName: "A B", bindVars: { name: undefined } },
      "invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy.",
    ],
    [
      "unknown type",
      { bindType: "foobar", bindName: "A B" },
      'Invalid Binding Rule: invalid BindName or BindVars: invalid Binding Rule: unknown BindType "foobar"',
    ],
  ])("are made in order: %s", (_what, content, message) => {
    expect(problemOf(content)).toBe(message);
  });

  test("take no type but the five, in no other case", () => {
    for (const bindType of ["Service", "service ", "templated_policy", "constructor", "__proto__", "acl"]) {
      expect(problemOf({ bindType })).toContain(`unknown BindType "${bindType}"`);
    }
  });
});

describe("a name", () => {
  const invalid = (type: string, cause: string): string =>
    `Invalid Binding Rule: invalid BindName or BindVars: failed to validate bindType "${type}": ${cause}`;

  test.each<[string, string, string | undefined]>([
    ["service", "web", undefined],
    ["service", "${value.team}-x", undefined],
    ["service", "Web", 'invalid bind name: "Web"'],
    ["service", "${value.team}-X", 'invalid bind name: "fake-X"'],
    ["service", "${value.team}-", 'invalid bind name: "fake-"'],
    ["node", "a.b", 'invalid bind name: "a.b"'],
    ["node", "n_1", undefined],
    ["role", "Admins_1-x", undefined],
    ["role", "a/b", 'invalid bind name: "a/b"'],
    ["role", "a\nb", String.raw`invalid bind name: "a\nb"`],
    ["policy", "team/${value.team}", undefined],
    ["policy", "team/", undefined],
    ["policy", "global-management", undefined],
    ["policy", "a/b/c", 'invalid bind name: "a/b/c"'],
    ["policy", "/a", 'invalid bind name: "/a"'],
    ["policy", "Builtin/global-read-only", 'invalid bind name: "Builtin/global-read-only"'],
    ["role", "${value.unknown}", "error interpreting template: 1:3: unknown variable accessed: value.unknown"],
    ["role", "${}", 'error interpreting template: parse error at 1:3: expected expression but found "}"'],
    ["role", "${list.groups}", "error interpreting template: 1:3: unknown variable accessed: list.groups"],
  ])("of a %s: %j", (bindType, bindName, cause) => {
    expect(problemOf({ bindType, bindName })).toBe(cause === undefined ? undefined : invalid(bindType, cause));
  });
});

describe("the length of a name", () => {
  test.each([
    ["service", 256],
    ["node", 256],
    ["role", 256],
    ["policy", 128],
  ])("of a %s is at most %i", (bindType, most) => {
    expect(problemOf({ bindType, bindName: "x".repeat(most) })).toBeUndefined();
    expect(problemOf({ bindType, bindName: "x".repeat(most + 1) })).toMatch(/: invalid bind name: "x+…?"$/);
    expect(problemOf({ bindType, bindName: "x".repeat(8193) })).toMatch(
      /: error interpreting template: template is longer than 8192 characters$/,
    );
  });
});

describe("a templated policy", () => {
  const text = (cause: string): string =>
    `Invalid Binding Rule: invalid BindName or BindVars: failed to validate bindType "templated-policy": ${cause}`;
  const problem = (bindName: string, bindVars: BindingRuleContent["bindVars"]): string | undefined =>
    problemOf({ bindType: "templated-policy", bindName, bindVars });

  test.each<[string, BindingRuleContent["bindVars"]]>([
    ["builtin/service", { name: "web" }],
    ["builtin/node", { name: "${value.team}" }],
    ["builtin/dns", undefined],
    ["builtin/dns", { name: undefined }],
    ["builtin/dns", { name: "Any Thing" }],
  ])("%s with %j is taken", (bindName, bindVars) => {
    expect(problem(bindName, bindVars)).toBeUndefined();
  });

  test.each<[string, BindingRuleContent["bindVars"], string]>([
    [
      "builtin/x",
      undefined,
      "Bind name for templated-policy bind type does not match existing template name: builtin/x",
    ],
    [
      "builtin/${value.team}",
      undefined,
      "Bind name for templated-policy bind type does not match existing template name: builtin/${value.team}",
    ],
    [
      "BUILTIN/service",
      { name: "web" },
      "Bind name for templated-policy bind type does not match existing template name: BUILTIN/service",
    ],
    [
      "builtin/service",
      { name: "${value.x}" },
      "failed to interpret templated policy variables: 1:3: unknown variable accessed: value.x",
    ],
    [
      "builtin/dns",
      { name: "${" },
      "failed to interpret templated policy variables: parse error at 1:3: expected expression but found end of string",
    ],
    [
      "builtin/service",
      undefined,
      "templated policy failed validation: 1 error occurred:\n\t* Invalid type. Expected: object, given: null\n\n",
    ],
    [
      "builtin/service",
      { name: undefined },
      "templated policy failed validation: 1 error occurred:\n\t* name is required\n\n",
    ],
    [
      "builtin/service",
      { name: "Web" },
      `templated policy failed validation: service identity "Web" has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
    ],
  ])("%s with %j is refused", (bindName, bindVars, cause) => {
    expect(problem(bindName, bindVars)).toBe(text(cause));
  });

  test("of an overlong name is refused in few words", () => {
    expect(problem("x".repeat(100_000), undefined)?.length).toBeLessThan(600);
  });
});

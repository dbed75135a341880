import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const SELECTOR = "invalid Binding Rule: Selector is invalid: ";
const BINDING = "Invalid Binding Rule: invalid BindName or BindVars: ";
const VARS = "invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy.";
const of = (type: string) => `${BINDING}failed to validate bindType "${type}": `;
const templated = (BindName: string, Name?: string) => ({
  BindType: "templated-policy",
  BindName,
  ...(Name === undefined ? {} : { BindVars: { Name } }),
});

/** Invalid content besides the auth method, with the text of the error. */
const CONTENT: readonly [what: string, content: object, text: string | RegExp][] = [
  [
    "a selector that ends early",
    { Selector: 'value.team == "a' },
    `${SELECTOR}1:17 (16): rule "string": Unterminated string literal`,
  ],
  ["a field without an operator", { Selector: "value.team" }, `${SELECTOR}1:11 (10): no match found, expected: `],
  ["a bad number", { Selector: "value.team == 007" }, `${SELECTOR}1:16 (15): rule "number": Invalid number literal`],
  ["an open group", { Selector: "(value.team == a" }, /rule "grouping": Unmatched parentheses/],
  ["a field that no identity has", { Selector: "serviceaccount.name == a" }, `${SELECTOR}Selector "serviceaccount`],
  ["a path that is too deep", { Selector: "value.a.b == x" }, `${SELECTOR}Selector "value.a.b" is not valid`],
  [
    "an operator that the type does not have",
    { Selector: "value.team is empty" },
    `${SELECTOR}Invalid match operator "Is Empty" for selector "value.team"`,
  ],
  [
    "an expression that cannot be read",
    { Selector: 'value.team matches "("' },
    `${SELECTOR}Failed to compile regular expression "(": `,
  ],
  ["a selector that is too long", { Selector: `value.team == "${"x".repeat(8192)}"` }, `${SELECTOR}longer than 8192`],
  ["a selector of white space", { Selector: "  " }, SELECTOR],
  ["no type", { BindType: "" }, "Invalid Binding Rule: no BindType is set"],
  ["null for the type", { BindType: null }, "Invalid Binding Rule: no BindType is set"],
  ["no name", { BindName: "" }, "Invalid Binding Rule: no BindName is set"],
  ["variables of a service", { BindVars: { Name: "x" } }, VARS],
  ["empty variables of a service", { BindVars: {} }, VARS],
  ["variables of a role", { BindType: "role", BindVars: { Name: "" } }, VARS],
  ["variables of a node", { BindType: "node", BindVars: {} }, VARS],
  ["variables of a policy", { BindType: "policy", BindVars: {} }, VARS],
  ["an unknown type", { BindType: "foobar" }, `${BINDING}invalid Binding Rule: unknown BindType "foobar"`],
  ["a type in upper case", { BindType: "Service" }, `${BINDING}invalid Binding Rule: unknown BindType "Service"`],
  ["the type __proto__", { BindType: "__proto__" }, `${BINDING}invalid Binding Rule: unknown BindType "__proto__"`],
  ["a service in upper case", { BindName: "Web" }, `${of("service")}invalid bind name: "Web"`],
  ["a service with a dot", { BindName: "a.${value.team}" }, `${of("service")}invalid bind name: "a.fake"`],
  ["a node in upper case", { BindType: "node", BindName: "N" }, `${of("node")}invalid bind name: "N"`],
  ["a service of 257 letters", { BindName: "a".repeat(257) }, `${of("service")}invalid bind name: "aaa`],
  ["a role with a slash", { BindType: "role", BindName: "a/b" }, `${of("role")}invalid bind name: "a/b"`],
  ["a role of 257 letters", { BindType: "role", BindName: "a".repeat(257) }, `${of("role")}invalid bind name: "aaa`],
  ["a policy with a dot", { BindType: "policy", BindName: "a.b" }, `${of("policy")}invalid bind name: "a.b"`],
  ["a policy of 129 letters", { BindType: "policy", BindName: "a".repeat(129) }, `${of("policy")}invalid bind name: `],
  [
    "an unknown variable",
    { BindType: "role", BindName: "${nope}" },
    `${of("role")}error interpreting template: 1:3: unknown variable accessed: nope`,
  ],
  [
    "a variable that no claim maps to",
    { BindName: "web-${value.zz}" },
    `${of("service")}error interpreting template: 1:7: unknown variable accessed: value.zz`,
  ],
  [
    "a template that ends early",
    { BindName: "${value.team" },
    `${of("service")}error interpreting template: parse error at `,
  ],
  [
    "a template without an expression",
    { BindName: "${}" },
    `${of("service")}error interpreting template: parse error at 1:3: expected expression but found "}"`,
  ],
  [
    "a function",
    { BindName: "${f(value.team)}" },
    `${of("service")}error interpreting template: 1:3: unknown function called: f`,
  ],
  [
    "an unknown templated policy",
    templated("x"),
    `${of("templated-policy")}Bind name for templated-policy bind type does not match existing template name: x`,
  ],
  [
    "a templated policy by a template",
    templated("builtin/${value.team}"),
    `${of("templated-policy")}Bind name for templated-policy bind type does not match existing template name: builtin/`,
  ],
  [
    "variables that cannot be read",
    templated("builtin/service", "${nope}"),
    `${of("templated-policy")}failed to interpret templated policy variables: 1:3: unknown variable accessed: nope`,
  ],
  [
    "a templated policy without its variable",
    templated("builtin/service"),
    `${of("templated-policy")}templated policy failed validation: 1 error occurred:\n\t* Invalid type. Expected: object, given: null\n\n`,
  ],
  [
    "a templated policy with an empty variable",
    templated("builtin/node", ""),
    `${of("templated-policy")}templated policy failed validation: 1 error occurred:\n\t* name is required\n\n`,
  ],
  [
    "a templated policy with a bad variable",
    templated("builtin/service", "W"),
    `${of("templated-policy")}templated policy failed validation: service identity "W" has an invalid name. `,
  ],
];

/** Bodies that are none, with the text of the refusal. */
const BODIES: readonly [what: string, body: string, text: string][] = [
  ["a number for a text", '{"BindName": 1}', "json: cannot unmarshal number into Go struct field .BindName of type"],
  ["a text for variables", '{"BindVars": "x"}', "json: cannot unmarshal string into Go struct field .BindVars of type"],
  ["an unknown variable", '{"BindVars": {"Other": "x"}}', 'json: unknown field "Other"'],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let stored = "";
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeMethod(v1, key, { Name: "jwt" });
    await makeMethod(v1, key, { Name: "theirs" }, "?ns=team");
    stored = await makeRule(v1, { AuthMethod: "jwt" });
  });

  const startingWith = (text: string | RegExp) =>
    expect.stringMatching(
      typeof text === "string" ? new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`, "s") : text,
    );

  describe("a rule is refused", () => {
    test.each(CONTENT)("with %s, new, replaced or changed, and nothing happens", async (_what, content, text) => {
      const before = (await v1.get("/acl/binding-rules")).text;
      const body = { AuthMethod: "jwt", BindType: "service", BindName: "web", ...content };
      for (const answer of [
        await v1.put("/acl/binding-rule", body),
        await v1.put(`/acl/binding-rule/${stored}`, body),
        await v1.patch(`/acl/binding-rule/${stored}`, body),
        await v1.patch(`/acl/binding-rule/${stored}`, content),
      ]) {
        expect(answer).toMatchObject({ status: 400, text: startingWith(text) });
        expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
        expect(answer.text.length).toBeLessThan(1000);
      }
      expect((await v1.get("/acl/binding-rules")).text).toBe(before);
    });

    test.each(BODIES)("whose body is %s", async (_what, body, text) => {
      for (const answer of [
        await v1.put("/acl/binding-rule", body),
        await v1.put("/acl/binding-rule/", body),
        await v1.put(`/acl/binding-rule/${stored}`, body),
        await v1.patch(`/acl/binding-rule/${stored}`, body),
      ]) {
        expect(answer).toMatchObject({ status: 400, text: startingWith(`BindingRule decoding failed: ${text}`) });
      }
    });

    test.each(["nobody", "", undefined, "theirs", "__proto__", "jwt "])(
      "of an auth method that is not there: %j",
      async (AuthMethod) => {
        const text =
          AuthMethod === undefined || AuthMethod === ""
            ? "Invalid Binding Rule: no AuthMethod is set"
            : `cannot find auth method with name "${AuthMethod}"`;
        const answer = await v1.put("/acl/binding-rule", { AuthMethod, BindType: "service", BindName: "web" });
        expect(answer).toMatchObject({ status: 400, text });
      },
    );

    test.each(["nobody", "theirs"])("with another auth method than it has: %s", async (AuthMethod) => {
      const text = "the AuthMethod field of an Binding Rule is immutable";
      const body = { AuthMethod, BindType: "service", BindName: "web" };
      for (const change of [v1.put, v1.patch]) {
        expect(await change(`/acl/binding-rule/${stored}`, body)).toMatchObject({ status: 400, text });
      }
    });

    test("new with any ID at all; with its own, or none, it is changed", async () => {
      const answer = { status: 400, text: "BindingRule ID in URL and payload do not match" };
      const body = { AuthMethod: "jwt", BindType: "service", BindName: "web" };
      for (const ID of [NOBODY, stored, stored.toUpperCase(), "x"]) {
        expect(await v1.put("/acl/binding-rule", { ...body, ID })).toMatchObject(answer);
        expect(await v1.put("/acl/binding-rule/", { ...body, ID })).toMatchObject(answer);
      }
      for (const ID of ["", null, stored, stored.toUpperCase()]) {
        expect((await v1.put(`/acl/binding-rule/${stored}`, { ...body, ID })).status).toBe(200);
      }
    });
  });
});

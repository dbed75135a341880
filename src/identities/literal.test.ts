import { describe, expect, test } from "vitest";
import { compileClaimMappings } from "./claim-mapping.ts";
import { IdentityError } from "./errors.ts";
import { literalIdentity } from "./literal.ts";
import type { IdentityForm } from "./validator.ts";

const CLAIMS = compileClaimMappings({
  ClaimMappings: new Map([
    ["a", "team"],
    ["b", "first.name"],
    ["c", "__proto__"],
  ]),
  ListClaimMappings: new Map([["c", "groups"]]),
}).form;

const ACCOUNT: IdentityForm = {
  shape: {
    kind: "structure",
    fields: new Map([
      [
        "serviceaccount",
        {
          kind: "structure",
          fields: new Map([
            ["name", { kind: "text" }],
            ["uid", { kind: "text" }],
          ]),
        },
      ],
    ]),
  },
  variables: new Set(["serviceaccount.name", "serviceaccount.uid"]),
};

describe("a literal identity", () => {
  test("has the fields that are written and every variable", () => {
    const literal = JSON.parse(
      '{"value":{"team":"web","first.name":"Ada","other":"x","__proto__":"p"},"list":{"groups":["a"]}}',
    ) as unknown;
    expect(literalIdentity(CLAIMS, literal)).toEqual({
      fields: new Map<string, unknown>([
        [
          "value",
          new Map([
            ["team", "web"],
            ["first.name", "Ada"],
            ["other", "x"],
            ["__proto__", "p"],
          ]),
        ],
        ["list", new Map([["groups", ["a"]]])],
      ]),
      variables: new Map([
        ["value.team", "web"],
        ["value.first.name", "Ada"],
        ["value.__proto__", "p"],
      ]),
    });
  });

  test("may leave out everything", () => {
    const variables = new Map([
      ["serviceaccount.name", ""],
      ["serviceaccount.uid", ""],
    ]);
    expect(literalIdentity(ACCOUNT, {})).toEqual({ fields: new Map(), variables });
    const fields = new Map([["serviceaccount", new Map([["name", "web"]])]]);
    expect(literalIdentity(ACCOUNT, { serviceaccount: { name: "web" } })).toEqual({
      fields,
      variables: variables.set("serviceaccount.name", "web"),
    });
  });

  test.each([
    [CLAIMS, null, "identity must be an object"],
    [CLAIMS, [], "identity must be an object"],
    [CLAIMS, "x", "identity must be an object"],
    [CLAIMS, { values: {} }, "identity.values is not a field of the identity"],
    [CLAIMS, JSON.parse('{"__proto__":{}}'), "identity.__proto__ is not a field of the identity"],
    [CLAIMS, { constructor: {} }, "identity.constructor is not a field of the identity"],
    [CLAIMS, { value: [] }, "identity.value must be an object"],
    [CLAIMS, { value: null }, "identity.value must be an object"],
    [CLAIMS, { value: { team: 1 } }, "identity.value.team must be a string"],
    [CLAIMS, { value: { team: null } }, "identity.value.team must be a string"],
    [CLAIMS, { value: { team: {} } }, "identity.value.team must be a string"],
    [CLAIMS, { list: { groups: "a" } }, "identity.list.groups must be a list of strings"],
    [CLAIMS, { list: { groups: ["a", 1] } }, "identity.list.groups.1 must be a string"],
    [ACCOUNT, { serviceaccount: { names: "a" } }, "identity.serviceaccount.names is not a field of the identity"],
    [ACCOUNT, { serviceaccount: { name: ["a"] } }, "identity.serviceaccount.name must be a string"],
  ] as [IdentityForm, unknown, string][])("that does not fit is refused: %o %j", (form, literal, message) => {
    expect(() => literalIdentity(form, literal)).toThrow(new IdentityError(message));
  });

  test("with a very long name that does not fit is refused in few words", () => {
    expect(() => literalIdentity(CLAIMS, { ["x".repeat(100_000)]: 1 })).toThrow(/^.{1,200}$/);
  });
});

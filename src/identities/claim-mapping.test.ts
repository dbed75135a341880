import { describe, expect, test } from "vitest";
import { checkSelector } from "../selectors/check.ts";
import { parseSelector } from "../selectors/parse.ts";
import { parseClaims } from "./claims.ts";
import { compileClaimMappings, type ClaimMapping } from "./claim-mapping.ts";
import { MethodConfigError, IdentityError } from "./errors.ts";
import type { Reading } from "./validator.ts";

/** Numbers with a fraction that a double does not hold. */
const CUT = new Set(["1e-400", "1.9999999999999999999", "9007199254740990.9"]);

describe("claim mappings", () => {
  test.each([
    ['"web"', "web"],
    ['""', ""],
    ["true", "true"],
    ["false", "false"],
    ["12", "12"],
    ["-12", "-12"],
    ["1.9", "1"],
    ["-1.9", "-1"],
    ["0.5", "0"],
    ["-0.5", "0"],
    ["-0", "0"],
    ["1e3", "1000"],
    ["12.34e1", "123"],
    ["1234e-2", "12"],
    ["1e-400", "0"],
    ["12345e-6", "0"],
    ["0e999999", "0"],
    ["0.000001e6", "1"],
    ["9007199254740991", "9007199254740991"],
    ["-9007199254740991", "-9007199254740991"],
    ["9007199254740990.9", "9007199254740990"],
    ["1.9999999999999999999", "1"],
  ])("make %s the text %s", (json, text) => {
    const claims = claimsOf(`{"claim":${json}}`);
    const identity = texts({ claim: "name" }, "earlier").project(claims);
    expect(identity.fields).toEqual(fieldsOf({ name: text }));
    expect(identity.variables).toEqual(new Map([["value.name", text]]));
    const now = () => texts({ claim: "name" }).project(claims);
    const isWhole = json.startsWith('"') || /^\D+$/.test(json) || (Number.isInteger(Number(json)) && !CUT.has(json));
    if (isWhole) expect(now()).toEqual(identity);
    else
      expect(now).toThrow(new IdentityError("error converting claim 'claim' to string: the number is not an integer"));
  });

  test.each([
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775808",
    "1e16",
    "1e400",
    "9e99999999999",
    "1".repeat(5000),
  ])("never round a number: %s is refused", (json) => {
    const message = "error converting claim 'claim' to string: the number is too large to be exact";
    const claims = claimsOf(`{"claim":${json}}`);
    expect(() => texts({ claim: "name" }).project(claims)).toThrow(new IdentityError(message));
    expect(() => lists({ claim: "name" }).project(claims)).toThrow(new IdentityError(message));
    expect(texts({ other: "name" }).project(claims).fields).toEqual(fieldsOf({}));
  });

  test.each([
    ["[]", "[]interface {}"],
    ['["a"]', "[]interface {}"],
    ["{}", "map[string]interface {}"],
  ])("refuse %s as a text", (json, type) => {
    expect(() => texts({ claim: "name" }).project(claimsOf(`{"claim":${json}}`))).toThrow(
      new IdentityError(`error converting claim 'claim' to string from unknown type ${type}`),
    );
  });

  test.each([
    ['["a","b"]', ["a", "b"]],
    ['["a",1,1.0,true]', ["a", "1", "1", "true"]],
    ['["","a",""]', ["a"]],
    ["[]", []],
    ['"a"', ["a"]],
    ['""', []],
    ["7", ["7"]],
    ["false", ["false"]],
  ])("make %s the list %j", (json, list) => {
    const identity = lists({ claim: "name" }).project(claimsOf(`{"claim":${json}}`));
    expect(identity.fields).toEqual(fieldsOf({}, { name: list }));
    expect(identity.variables).toEqual(new Map());
  });

  test.each([
    ["{}", '"claim" list claim could not be converted to string list'],
    ['["a",{"b":"c"}]', 'value map[...] in "claim" list claim could not be parsed as string'],
    ['["a",["b"]]', 'value [...] in "claim" list claim could not be parsed as string'],
    ['["a",1.5]', "error converting claim 'claim' to string: the number is not an integer"],
    ["[null]", 'value <nil> in "claim" list claim could not be parsed as string'],
  ])("refuse %s as a list", (json, message) => {
    expect(() => lists({ claim: "name" }).project(claimsOf(`{"claim":${json}}`))).toThrow(new IdentityError(message));
  });

  test("leave out what a token does not have, but a template may name it", () => {
    const mapping = compileClaimMappings({
      ClaimMappings: new Map([
        ["team", "team"],
        ["first", "first-name"],
        ["none", "none"],
      ]),
      ListClaimMappings: new Map([["groups", "groups"]]),
    });
    const identity = mapping.project(claimsOf('{"first":"Ada","none":null,"groups":null}'));
    expect(identity.fields).toEqual(fieldsOf({ "first-name": "Ada" }));
    expect(identity.variables).toEqual(
      new Map([
        ["value.team", ""],
        ["value.first-name", "Ada"],
        ["value.none", ""],
      ]),
    );
    expect(mapping.form.variables).toEqual(new Set(identity.variables.keys()));
  });

  test.each([
    ["/a", '"1"', "1"],
    ["/org/team", '"1"', undefined],
    ["/b/c", '{"c":"x"}', "x"],
    ["/b/0", '["x","y"]', "x"],
    ["/b/1/d", '["x",{"d":"y"}]', "y"],
    ["/b/01", '["x","y"]', undefined],
    ["/b/-", '["x","y"]', undefined],
    ["/b/2", '["x","y"]', undefined],
    ["/b/length", '["x","y"]', undefined],
    ["/b/0", '"x"', undefined],
    ["/b/0", '{"0":"x"}', "x"],
    ["/b/x~1y", '{"x/y":"z"}', "z"],
    ["/b/x~0y", '{"x~y":"z"}', "z"],
    ["/b/x~01y", '{"x~1y":"z"}', "z"],
    ["/b/", '{"":"z"}', "z"],
    ["b/c", '{"c":"x"}', undefined],
    ["/b/constructor", "{}", undefined],
    ["/b/__proto__", "{}", undefined],
    ["/b/__proto__/c", '{"__proto__":{"c":"z"}}', "z"],
    ["/b/toString/name", "{}", undefined],
  ])("find %s in %s", (pointer, json, text) => {
    const claims = claimsOf(`{"a":"1","b":${json},"slash/in":"name"}`);
    expect(texts({ [pointer]: "name" }).project(claims).fields).toEqual(
      fieldsOf(text === undefined ? {} : { name: text }),
    );
  });

  test("take a claim without a slash in front by its whole name", () => {
    const claims = claimsOf('{"https://example.com/team":"web","a.b":"c","a":{"b":"d"}}');
    const mapping = texts({ "https://example.com/team": "team", "a.b": "ab" });
    expect(mapping.project(claims).fields).toEqual(fieldsOf({ team: "web", ab: "c" }));
  });

  test("take claims and names such as __proto__ and constructor as any other", () => {
    const mapping = compileClaimMappings({
      ClaimMappings: new Map([
        ["__proto__", "constructor"],
        ["constructor", "__proto__"],
      ]),
      ListClaimMappings: new Map([["toString", "__proto__"]]),
    });
    expect(mapping.project(claimsOf("{}")).fields).toEqual(fieldsOf({}));
    const claims = claimsOf('{"__proto__":"a","constructor":"b"}');
    const { fields, variables } = mapping.project(claims);
    expect(fields.get("value")).toEqual(
      new Map([
        ["constructor", "a"],
        ["__proto__", "b"],
      ]),
    );
    expect(variables.get("value.__proto__")).toBe("b");
  });

  test("refuse two claims of one name", () => {
    const twice = new Map([
      ["a", "x"],
      ["b", "x"],
    ]);
    expect(() => compileClaimMappings({ ClaimMappings: twice, ListClaimMappings: new Map() })).toThrow(
      new MethodConfigError('ClaimMappings contains multiple mappings for key "x"'),
    );
    expect(() => compileClaimMappings({ ClaimMappings: new Map(), ListClaimMappings: twice })).toThrow(
      new MethodConfigError('ListClaimMappings contains multiple mappings for key "x"'),
    );
    const once = new Map([["a", "x"]]);
    expect(() => compileClaimMappings({ ClaimMappings: once, ListClaimMappings: once })).not.toThrow();
  });

  test("let selectors ask for any text and any list", () => {
    const { shape } = texts({}).form;
    expect(() => checkSelector(parseSelector('value.any == "a" and "b" in list["x-y"]'), shape)).not.toThrow();
    expect(() => checkSelector(parseSelector('other.any == "a"'), shape)).toThrow();
  });
});

function texts(mappings: Record<string, string>, reading?: Reading): ClaimMapping {
  const given = { ClaimMappings: new Map(Object.entries(mappings)), ListClaimMappings: new Map<string, string>() };
  return compileClaimMappings(given, reading);
}

function lists(mappings: Record<string, string>): ClaimMapping {
  return compileClaimMappings({ ClaimMappings: new Map(), ListClaimMappings: new Map(Object.entries(mappings)) });
}

function claimsOf(json: string): ReturnType<typeof parseClaims> {
  return parseClaims(Buffer.from(json));
}

function fieldsOf(value: Record<string, string>, list: Record<string, string[]> = {}): Map<string, unknown> {
  return new Map<string, unknown>([
    ["value", new Map(Object.entries(value))],
    ["list", new Map(Object.entries(list))],
  ]);
}

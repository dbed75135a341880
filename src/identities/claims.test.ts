import { describe, expect, test } from "vitest";
import { JsonNumber } from "../go/json-reader.ts";
import { parseClaims } from "./claims.ts";
import { IdentityError } from "./errors.ts";

describe("claims", () => {
  test("are maps, lists, texts and numbers as they are written", () => {
    expect(parseClaims(bytes('{"a":"b","c":[1,9007199254740993,true,null],"d":{"e":{}}} '))).toEqual(
      new Map<string, unknown>([
        ["a", "b"],
        ["c", [new JsonNumber("1"), new JsonNumber("9007199254740993"), true, null]],
        ["d", new Map([["e", new Map()]])],
      ]),
    );
  });

  test("may be named __proto__ and constructor", () => {
    const claims = parseClaims(bytes('{"__proto__":"a","constructor":"b","x":{"__proto__":{"y":"c"}}}'));
    expect([...claims.keys()]).toEqual(["__proto__", "constructor", "x"]);
    expect(claims.get("__proto__")).toBe("a");
    expect(claims.get("toString")).toBeUndefined();
  });

  test.each(['{"a":1,"a":1}', '{"a":{"b":1,"b":2}}', '{"a":[{"b":1,"\\u0062":2}]}', '{"__proto__":1,"__proto__":2}'])(
    "with a name twice in any object are refused: %s",
    (json) => {
      expect(refusalOf(json)).toBe("an object contains a member name twice");
    },
  );

  test.each(["[]", "1", '"a"', "null", "true"])("that are no object are refused: %s", (json) => {
    expect(refusalOf(json)).toBe("it is not a JSON object");
  });

  test.each(["", " ", "{", '{"a"', "{'a':1}", '{"a":01}', '{"a":1}x', '{"a":1}{"a":2}', '\ufeff{"a":1}', '{"a":"\n"}'])(
    "that are not JSON are refused: %j",
    (json) => {
      expect(refusalOf(json)).toMatch(/^it is not JSON/);
    },
  );

  test("that are not UTF-8 are refused", () => {
    expect(() => parseClaims(Buffer.from('{"a":"\xff"}', "latin1"))).toThrow(new IdentityError("it is not JSON"));
  });

  test.each([
    ["nested 1,000 deep", `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`],
    ["of very many values", `{"a":[${"1,".repeat(40_000)}1]}`],
  ])("%s are refused", (_what, json) => {
    expect(refusalOf(json)).toBe("it is not JSON, is nested too deeply, or is too large");
  });
});

function bytes(json: string): Uint8Array {
  return Buffer.from(json);
}

function refusalOf(json: string): string {
  try {
    parseClaims(bytes(json));
  } catch (error) {
    if (error instanceof IdentityError) return error.message;
    throw error;
  }
  throw new Error("not refused");
}

import { Type, type Static } from "typebox";
import { describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import { goDuration, goTime, READ_ONLY_MEMBERS } from "./body-schema.ts";
import { decode } from "./body.ts";

const LINK = Type.Object({ ID: Type.Optional(Type.String()), Name: Type.Optional(Type.String()) });
const SCHEMA = Type.Object({
  Name: Type.Optional(Type.String()),
  Local: Type.Optional(Type.Boolean()),
  Count: Type.Optional(Type.Integer()),
  Policies: Type.Optional(Type.Array(LINK)),
  Datacenters: Type.Optional(Type.Array(Type.String())),
  Meta: Type.Optional(Type.Record(Type.String(), Type.String())),
  Config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  Inner: Type.Optional(LINK),
  ExpirationTTL: Type.Optional(goDuration()),
  ExpirationTime: Type.Optional(goTime()),
  TemplateVariables: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  ...READ_ONLY_MEMBERS,
});
const PREFIX = "Thing decoding failed: ";

const read = (text: string | Buffer) =>
  decode(Buffer.from(text as string), { schema: SCHEMA, prefix: PREFIX }) as Static<typeof SCHEMA>;
const patch = (text: string) => decode(Buffer.from(text), { schema: SCHEMA, prefix: PREFIX, patch: true });

function messageOf(text: string | Buffer): string {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe("invalid");
    const { message } = error as AppError;
    expect(message.startsWith(PREFIX)).toBe(true);
    return message.slice(PREFIX.length);
  }
  return "accepted";
}

describe("a body", () => {
  it.each([
    ["", "EOF"],
    [" \n\t", "EOF"],
    ["{", "unexpected EOF"],
    ['{"Name"', "unexpected EOF"],
    ['{"Name":"x', "unexpected EOF"],
    ['{"Name":"x"', "unexpected EOF"],
    ['{"Name":"x",', "unexpected EOF"],
    ['{"Name":tr', "unexpected EOF"],
    ['{"Count":-', "unexpected EOF"],
    ['{"Count":1.', "unexpected EOF"],
    ['{"Count":1e+', "unexpected EOF"],
    ['{"Name":"\\', "unexpected EOF"],
    ['{"Name":"\\u12', "unexpected EOF"],
    ['{"Datacenters":["a"', "unexpected EOF"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["'x'", "invalid character '\\'' looking for beginning of value"],
    ["\u0001", "invalid character '\\x01' looking for beginning of value"],
    ["é", "invalid character 'Ã' looking for beginning of value"],
    ["\ufeff{}", "invalid character 'ï' looking for beginning of value"],
    ["}", "invalid character '}' looking for beginning of value"],
    ["{x", "invalid character 'x' looking for beginning of object key string"],
    ['{"Name":"x",}', "invalid character '}' looking for beginning of object key string"],
    ['{"Name" "x"}', "invalid character '\"' after object key"],
    ['{"Name":"x" "y"}', "invalid character '\"' after object key:value pair"],
    ['{"Name":}', "invalid character '}' looking for beginning of value"],
    ['{"Datacenters":["a" "b"]}', "invalid character '\"' after array element"],
    ['{"Datacenters":["a",]}', "invalid character ']' looking for beginning of value"],
    ['{"Name":"a\nb"}', "invalid character '\\n' in string literal"],
    ['{"Name":"a\u0000b"}', "invalid character '\\x00' in string literal"],
    ['{"Name":"\\x"}', "invalid character 'x' in string escape code"],
    ['{"Name":"\\u12x4"}', "invalid character 'x' in \\u hexadecimal character escape"],
    ['{"Local":trux}', "invalid character 'x' in literal true (expecting 'e')"],
    ['{"Local":fals }', "invalid character ' ' in literal false (expecting 'e')"],
    ['{"Local":nil}', "invalid character 'i' in literal null (expecting 'u')"],
    ['{"Count":-x}', "invalid character 'x' in numeric literal"],
    ['{"Count":01}', "invalid character '1' after object key:value pair"],
    ['{"Count":1.x}', "invalid character 'x' after decimal point in numeric literal"],
    ['{"Count":1ex}', "invalid character 'x' in exponent of numeric literal"],
    ['{"Bogus":1,', "unexpected EOF"],
  ])("that is no JSON is refused with Go's text: %j", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it.each([
    ['{"X":1}', 'json: unknown field "X"'],
    ['{"bind_name":1}', 'json: unknown field "bind_name"'],
    ['{"Inner":{"Bogus":1}}', 'json: unknown field "Bogus"'],
    ['{"Policies":[{"ID":"a"},{"__proto__":1}]}', 'json: unknown field "__proto__"'],
    ['{"constructor":1}', 'json: unknown field "constructor"'],
    ['{"a\\"b\\n":1}', 'json: unknown field "a\\"b\\n"'],
    ['{"\u212a":1}', 'json: unknown field "\u212a"'],
    ['{"Name":1}', "json: cannot unmarshal number into Go struct field .Name of type string"],
    ['{"NAME":true}', "json: cannot unmarshal bool into Go struct field .Name of type string"],
    ['{"Name":[]}', "json: cannot unmarshal array into Go struct field .Name of type string"],
    ['{"Name":{}}', "json: cannot unmarshal object into Go struct field .Name of type string"],
    ['{"Local":"true"}', "json: cannot unmarshal string into Go struct field .Local of type bool"],
    ['{"Count":1.5}', "json: cannot unmarshal number 1.5 into Go struct field .Count of type int"],
    ['{"Count":1e3}', "json: cannot unmarshal number 1e3 into Go struct field .Count of type int"],
    [
      '{"Count":99999999999999999999}',
      "json: cannot unmarshal number 99999999999999999999 into Go struct field .Count of type int",
    ],
    ['{"Policies":{}}', "json: cannot unmarshal object into Go struct field .Policies of type []struct"],
    ['{"Policies":["x"]}', "json: cannot unmarshal string into Go struct field .Policies of type struct"],
    ['{"Policies":[{"ID":1}]}', "json: cannot unmarshal number into Go struct field .Policies.ID of type string"],
    ['{"Datacenters":"x"}', "json: cannot unmarshal string into Go struct field .Datacenters of type []string"],
    ['{"Meta":[]}', "json: cannot unmarshal array into Go struct field .Meta of type map[string]string"],
    ['{"Meta":{"a":1}}', "json: cannot unmarshal number into Go struct field .Meta of type string"],
    ['{"Config":1}', "json: cannot unmarshal number into Go struct field .Config of type map[string]interface {}"],
    ['{"ExpirationTTL":true}', "json: cannot unmarshal bool into Go struct field .ExpirationTTL of type time.Duration"],
    [
      '{"ExpirationTTL":9223372036854775808}',
      "json: cannot unmarshal number 9223372036854775808 into Go struct field .ExpirationTTL of type time.Duration",
    ],
    ['{"ExpirationTTL":""}', 'time: invalid duration ""'],
    ['{"ExpirationTTL":"60"}', 'time: missing unit in duration "60"'],
    ['{"ExpirationTTL":"1d"}', 'time: unknown unit "d" in duration "1d"'],
    ['{"ExpirationTime":1}', "Time.UnmarshalJSON: input is not a JSON string"],
    ['{"ExpirationTime":"x"}', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['{"CreateIndex":-1}', "json: cannot unmarshal number -1 into Go struct field .CreateIndex of type uint64"],
    ['{"CreateIndex":"1"}', "json: cannot unmarshal string into Go struct field .CreateIndex of type uint64"],
    ['{"Hash":1}', "json: cannot unmarshal number into Go struct field .Hash of type []uint8"],
    ["[]", "json: cannot unmarshal array into Go value of type struct"],
    ['"x"', "json: cannot unmarshal string into Go value of type struct"],
    ["1", "json: cannot unmarshal number into Go value of type struct"],
  ])("that does not fit is refused with Go's text: %s", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it("has the schema's names, whatever case it was written in, and the last of two counts", () => {
    expect(read('{"name":"a","LOCAL":true,"policies":[{"id":"1"}],"templatevariables":{"NAME":"x"}}')).toEqual({
      Name: "a",
      Local: true,
      Policies: [{ ID: "1" }],
      TemplateVariables: { name: "x" },
    });
    expect(read('{"Name":"a","name":"b","Name":"c"}')).toEqual({ Name: "c" });
    expect(read('{"Name":"a","Name":null}')).toEqual({});
  });

  it("has no members for null, absent and read-only ones, and ignores what follows it", () => {
    expect(read("null")).toEqual({});
    expect(read(" {} ")).toEqual({});
    expect(read('{"Name":null,"Policies":null,"ExpirationTime":null}')).toEqual({});
    expect(read('{"CreateIndex":18446744073709551615,"ModifyIndex":0,"Hash":"YQ=="}')).toEqual({});
    expect(read('{"Hash":null}')).toEqual({});
    expect(read('{"Name":"a"} trailing {')).toEqual({ Name: "a" });
    expect(read('{"Policies":[null,{}],"Datacenters":[null]}')).toEqual({ Policies: [{}, {}], Datacenters: [""] });
  });

  it("keeps the keys of maps, and none of them means anything", () => {
    const { Meta, Config } = read(
      '{"Meta":{"__proto__":"x","Key":"y","key":null},"Config":{"__proto__":{"a":[1,null,{"b":true}]},"n":1.5e3}}',
    );
    expect(Object.entries(Meta ?? {})).toEqual([
      ["__proto__", "x"],
      ["Key", "y"],
      ["key", ""],
    ]);
    expect(Object.getPrototypeOf(Meta)).toBeNull();
    expect(JSON.stringify(Config)).toBe('{"__proto__":{"a":[1,null,{"b":true}]},"n":1500}');
    expect({}).not.toHaveProperty("a");
  });

  it("has durations and times to the nanosecond", () => {
    expect(read('{"ExpirationTTL":9223372036854775807}').ExpirationTTL).toBe(9223372036854775807n);
    expect(read('{"ExpirationTTL":9007199254740993}').ExpirationTTL).toBe(9007199254740993n);
    expect(read('{"ExpirationTTL":-1.9}').ExpirationTTL).toBe(-1n);
    expect(read('{"ExpirationTTL":"1h30m"}').ExpirationTTL).toBe(5_400_000_000_000n);
    expect(read('{"ExpirationTime":"1970-01-01T01:00:00.000000001+01:00"}').ExpirationTime).toBe(1n);
  });

  it("has text as Go reads it", () => {
    const text = '{"Name":"\\ud83d\\ude00 \\u00e9 \\/ \\b\\f\\n\\r\\t \\\\ \\" \\ud800x \\udc00 \u007f"}';
    expect(read(text).Name).toBe('\u{1f600} é / \b\f\n\r\t \\ " \ufffdx \ufffd \u007f');
    expect(read(Buffer.from([...Buffer.from('{"Name":"'), 0xff, ...Buffer.from('"}')])).Name).toBe("\ufffd");
  });

  it("has no NUL in any text", () => {
    for (const text of ['{"Name":"a\\u0000"}', '{"Meta":{"\\u0000":"a"}}', '{"Config":{"a":["\\u0000"]}}']) {
      expect(messageOf(text)).toBe("text must not contain NUL characters");
    }
    expect(messageOf('{"\\u0000":1}')).toBe('json: unknown field "\\x00"');
  });

  it("incident 26: is refused when it is too deep or has too many values, and then stays in bounds", () => {
    const deep = (depth: number) => `{"Config":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    expect(messageOf(deep(98))).toBe("accepted");
    expect(messageOf(deep(99))).toBe("exceeded max depth");
    expect(messageOf("[".repeat(1_000_000))).toBe("exceeded max depth");
    expect(messageOf('{"a":'.repeat(200_000))).toBe("exceeded max depth");
    expect(messageOf(`{"Config":{"a":[${"1,".repeat(400_000)}1]}}`)).toBe("more than 20000 values");
    expect(messageOf(`{"${"k".repeat(1_000_000)}":1}`).length).toBeLessThan(1000);
    expect(messageOf(`{"Count":${"9".repeat(1_000_000)}}`).length).toBeLessThan(1000);
    expect(messageOf(`{"ExpirationTTL":1e${"9".repeat(1_000_000)}}`).length).toBeLessThan(1000);
  });

  it("that may be left out is an empty object", () => {
    const config = { schema: SCHEMA, prefix: PREFIX, optional: true } as const;
    expect(decode(Buffer.alloc(0), config)).toEqual({});
    expect(() => decode(Buffer.from(" "), config)).toThrow("EOF");
  });
});

describe("a merge patch", () => {
  it("keeps null where a member is to be removed, and only there", () => {
    expect(patch('{"name":null,"Local":true,"Inner":{"ID":null},"Meta":{"a":null}}')).toEqual({
      Name: null,
      Local: true,
      Inner: { ID: null },
      Meta: { a: null },
    });
    expect(patch('{"Policies":[{"ID":null,"Name":"x"}],"Datacenters":[null],"CreateIndex":null}')).toEqual({
      Policies: [{ Name: "x" }],
      Datacenters: [""],
    });
    expect(patch("null")).toEqual({});
    expect(() => patch('{"Bogus":null}')).toThrow(`${PREFIX}json: unknown field "Bogus"`);
  });
});

describe("a schema", () => {
  it("that cannot be decoded is a fault of the route", () => {
    const required = Type.Object({ Name: Type.String() });
    expect(() => decode(Buffer.from("{}"), { schema: required, prefix: PREFIX })).toThrow(
      "members of a body are optional: Name",
    );
    const union = Type.Object({ Name: Type.Optional(Type.Null()) });
    expect(() => decode(Buffer.from("{}"), { schema: union, prefix: PREFIX })).toThrow(
      "a body cannot have the type null",
    );
  });
});

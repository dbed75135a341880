import { describe, expect, test } from "vitest";
import { encode } from "../../../test/support/key-server.ts";
import { parseClaims } from "../claims.ts";
import { claimedSubject, namedSubject, subjectOf } from "./subject.ts";

const claims = (value: object) => parseClaims(Buffer.from(JSON.stringify(value)));
const token = (value: unknown) => `e30.${encode(JSON.stringify(value))}.c2ln`;

describe("an identity", () => {
  test("is the subject of an issuer, whatever else is said", () => {
    const one = subjectOf(claims({ iss: "a", sub: "b", aud: "x", exp: 1 }));
    expect(subjectOf(claims({ sub: "b", iss: "a", team: "c" }), new Map([["value", new Map([["team", "c"]])]]))).toBe(
      one,
    );
    for (const other of [{ iss: "a", sub: "c" }, { iss: "b", sub: "b" }, { sub: "b" }, { iss: 'a","b', sub: "" }]) {
      expect(subjectOf(claims(other))).not.toBe(one);
    }
  });

  test("without a subject is what the method sees", () => {
    const seen = (team: string) => new Map([["value", new Map([["team", team]])]]);
    const of = (team: string) => subjectOf(claims({ iss: "a", sub: 7 }), seen(team));
    expect(of("x")).toBe(of("x"));
    expect(of("x")).not.toBe(of("y"));
  });

  test("is claimed by a token that proves nothing", () => {
    expect(claimedSubject(token({ iss: "a", sub: "b" }))).toBe(subjectOf(claims({ iss: "a", sub: "b" })));
  });

  test.each(["", "x", "a.b", "..", token([]), token("x"), `e30.${encode('{"sub":"a","sub":"b"}')}.x`, "a.💥.c"])(
    "is nobody's where nothing can be read: %j",
    (text) => {
      expect(claimedSubject(text)).toBe("");
    },
  );
});

test("a subject that is told has no claims in place of a name", () => {
  const unnamed = subjectOf(new Map([["iss", "a"]]), new Map([["value", new Map([["team", 'b","c']])]]));
  expect(namedSubject(unnamed)).toBe('["a",""]');
  const named = subjectOf(
    new Map([
      ["iss", 'a"\\'],
      ["sub", '","b'],
    ]),
  );
  expect(namedSubject(named)).toBe(named);
  expect(namedSubject("arn:aws:iam::1:role/a")).toBe("arn:aws:iam::1:role/a");
});

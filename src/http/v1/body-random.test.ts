/** Decoding what no one thought of: random bytes and random documents. */
import { Type, type Static } from "typebox";
import { describe, expect, it } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { AppError } from "../../errors.ts";
import { goDuration, goTime, READ_ONLY_MEMBERS } from "./body-schema.ts";
import { decode } from "./body.ts";

const SCHEMA = Type.Object({
  Name: Type.Optional(Type.String()),
  Policies: Type.Optional(Type.Array(Type.Object({ ID: Type.Optional(Type.String()) }))),
  Meta: Type.Optional(Type.Record(Type.String(), Type.String())),
  Config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ExpirationTTL: Type.Optional(goDuration()),
  ExpirationTime: Type.Optional(goTime()),
  ...READ_ONLY_MEMBERS,
});
const PREFIX = "Thing decoding failed: ";

/** Parts of documents, good and bad. */
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  '"',
  "\\",
  " ",
  "\n",
  "\u0000",
  "é",
  "e",
  "E",
  "+",
  "-",
  ".",
  "0",
  "1",
  "9",
  "t",
  "true",
  "false",
  "null",
  '"Name"',
  '"policies":',
  '"Config":{',
  '"Meta":',
  '"ExpirationTTL":',
  '"1h"',
  "\\u00",
  '"ExpirationTime":"2026-01-01T00:00:00Z"',
  "\\ud83d",
  "1e400",
  '"__proto__":',
  '{"ID":"x"}',
];

describe("decoding", () => {
  it("gives a value or an AppError, whatever comes", () => {
    const random = generator(20_261_120);
    const good = '{"Name":"a","Policies":[{"ID":"x"}],"ExpirationTTL":"1h","Config":{"a":[1,{"b":null}]},"Hash":null}';
    const outcomes = { value: 0, error: 0 };
    for (let round = 0; round < 20_000; round++) {
      let bytes: Buffer;
      if (round % 2 === 0) {
        bytes = Buffer.from(Array.from({ length: random(12) }, () => PIECES[random(PIECES.length)]).join(""));
      } else {
        bytes = Buffer.from(good);
        for (let change = random(4); change >= 0; change--) bytes[random(bytes.length)] = random(256);
        bytes = bytes.subarray(0, random(8) === 0 ? random(bytes.length) : bytes.length);
      }
      outcomes[outcomeOf(bytes)] += 1;
    }
    expect(outcomes.value).toBeGreaterThan(100);
    expect(outcomes.error).toBeGreaterThan(1000);
  });

  it("agrees with the platform's parser on what is JSON", () => {
    const random = generator(7);
    for (let round = 0; round < 3000; round++) {
      const value = randomValue(random, 4);
      const text = JSON.stringify({ Config: { value } }, null, random(3));
      const { Config } = decode(Buffer.from(text), { schema: SCHEMA, prefix: PREFIX }) as Static<typeof SCHEMA>;
      expect(JSON.parse(JSON.stringify(Config?.["value"]))).toEqual(value);
    }
  });
});

function outcomeOf(bytes: Buffer): "value" | "error" {
  try {
    const value = decode(bytes, { schema: SCHEMA, prefix: PREFIX });
    expect(typeof value).toBe("object");
    return "value";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return "error";
  }
}

/** Numbers below a limit, the same in every run. */
function generator(number: number): (limit: number) => number {
  const random = randomOfRun(number);
  return (limit) => Math.floor(random() * limit);
}

function randomValue(random: (limit: number) => number, depth: number): unknown {
  switch (random(depth === 0 ? 5 : 7)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return (random(1_000_000) - 500_000) / 8;
    case 3:
      return ["", "a", 'q"\\/\n\t', "\u{1f600}", "\u2028<&>", "é".repeat(5)][random(6)];
    case 4:
      return random(10) * 1e300;
    case 5:
      return Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(4) }, (_, key) => [`k${key}`, randomValue(random, depth - 1)]),
      );
  }
}

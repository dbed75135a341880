/** Reading in steps gives what reading in one piece gives, wherever a step ends. */
import { describe, expect, it, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { atOnce } from "../turns.ts";
import { scanJson } from "./json-scan.ts";
import { scanJsonInSteps } from "./json-steps.ts";

const random = randomOfRun();
const below = (most: number) => Math.floor(random() * most);

/** Outcome of a text: the value, or the message of its error. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return { name: (error as Error).constructor.name, message: (error as Error).message };
  }
}

const inPiece = (text: string) => outcomeOf(() => scanJson(text));
const inSteps = (text: string, characters?: number) => outcomeOf(() => atOnce(scanJsonInSteps(text, characters)));

/** Parts of strings, with those that may be cut: escapes, pairs of them, and halves of pairs. */
const CHARACTERS = [
  "a",
  "é",
  "😀",
  "\ud83d",
  "\ude00",
  "\u0000",
  "\u007f",
  "\n",
  '"',
  "\\",
  ...'nrtbf/"\\'.split("").map((letter) => `\\${letter}`),
  String.raw`\u00e9`,
  String.raw`\ud83d\ude00`,
  String.raw`\ud83d`,
  String.raw`\u12`,
  String.raw`\x`,
];
/** Documents whose strings are all whole. */
const WHOLE = CHARACTERS.filter((each) => !/^(?:["\\\n\0]|\\x|\\u12)$/.test(each));
const OTHERS = ["{", "}", "[", "]", ":", ",", " ", "\t\r\n", "true", "nul", "0", "-1.5e+3", "1e", '"', "\u0001", "ü"];

const someOf = (pieces: readonly string[], most: number) =>
  Array.from({ length: below(most) }, () => pieces[below(pieces.length)] ?? "").join("");
const stringOf = (pieces: readonly string[]) => `"${someOf(pieces, 12)}"`;

/** A document that is one, or nearly. */
function documentOf(depth: number): string {
  const pieces = random() < 0.98 ? WHOLE : CHARACTERS;
  const space = random() < 0.2 ? " ".repeat(below(100)) : "";
  switch (depth > 4 ? below(3) : below(5)) {
    case 0:
      return space + stringOf(pieces);
    case 1:
      return (
        space +
        String(below(1_000_000))
          .repeat(1 + below(20))
          .replace(/^0+(?=\d)/, "")
      );
    case 2:
      return `${space}${["true", "false", "null", "-0.5e-7"][below(4)]}`;
    case 3:
      return `${space}[${Array.from({ length: below(4) }, () => documentOf(depth + 1)).join(`${space},`)}${space}]`;
    default: {
      const members = Array.from({ length: below(4) }, () => `${stringOf(pieces)}${space}:${documentOf(depth + 1)}`);
      return `${space}{${space}${members.join(",")}}`;
    }
  }
}

/** Breaks a text off, or puts something into it or in place of what is there. */
function broken(text: string): string {
  const at = below(text.length + 1);
  if (random() < 0.4) return text.slice(0, at);
  return text.slice(0, at) + someOf([...OTHERS, ...CHARACTERS], 3) + text.slice(at + below(3));
}

describe("in steps", () => {
  it("gives the same value or says the same, wherever its steps end", () => {
    const outcomes = { value: 0, message: 0 };
    for (let round = 0; round < 20_000; round++) {
      const whole = documentOf(0);
      const text = round % 2 === 0 ? whole : broken(whole);
      const expected = inPiece(text);
      outcomes["value" in (expected as object) ? "value" : "message"] += 1;
      const characters = 1 + below(text.length + 2);
      expect({ text, characters, outcome: inSteps(text, characters) }).toEqual({ text, characters, outcome: expected });
    }
    expect(outcomes.value).toBeGreaterThan(5000);
    expect(outcomes.message).toBeGreaterThan(2000);
  });

  it("does so for each place at which a step of one text can end", () => {
    const text = `  {"é\\ud83d\\ude00": [1, -2.50e+10, {"\\u0041\\"": "${"\\n😀".repeat(5)}"}, "\\ud83dx"], "": null} rest`;
    const expected = inPiece(text);
    expect(expected).toHaveProperty("value");
    for (let characters = 1; characters <= text.length + 1; characters++)
      expect([characters, inSteps(text, characters)]).toEqual([characters, expected]);
  });

  it.each([
    ["a string that is not ended", `{"a": "${"\\n".repeat(40_000)}`],
    ["a control character behind many escapes", `{"a": "${"\\n".repeat(40_000)}\u0001"}`],
    ["an escape that there is not", `["${"\\t".repeat(40_000)}\\q"]`],
    ["a broken \\u", `["${"\\t".repeat(40_000)}\\u12g4"]`],
    ["a name that is long, without its colon", `{"${"\\t".repeat(40_000)}" 1}`],
    ["too many values", `[${"1,".repeat(30_000)}1]`],
    ["too deep a document", "[".repeat(50_000)],
    ["nothing but blanks", " \n".repeat(50_000)],
    ["a number without end", `${"1".repeat(100_000)}.`],
    ["a name and a value that are long", `{"${"\\u00e9".repeat(20_000)}": "${"\\ud83d\\ude00".repeat(20_000)}x"}`],
    ["a long text without escapes", `{"a": "${"x".repeat(100_000)}"}`],
  ])("says the same of %s", (_name, text) => {
    expect(inSteps(text)).toEqual(inPiece(text));
  });
});

/** How often others have their turn meanwhile. */
const pausesOf = (text: string) => {
  const steps = scanJsonInSteps(text);
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  return pauses;
};

test.each([
  ["a value", `{"Rules": "${String.raw`\n`.repeat(255_000)}"}`],
  ["a name", `{"${String.raw`\n`.repeat(255_000)}": 1}`],
  ["an entry", `["${String.raw`\u00e9`.repeat(85_000)}"]`],
  ["many short ones", `["${Array.from({ length: 19_000 }, () => String.raw`\n\n\n\n\n\n\n\n\n\n\n\n`).join('","')}"]`],
])("incident 84: 511 KB of escape sequences alone are read in many steps: %s", (_name, text) => {
  expect(text.length).toBeGreaterThan(500_000);
  expect(pausesOf(text)).toBeGreaterThan(200);
});

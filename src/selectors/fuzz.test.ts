import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { sized } from "../../test/support/length.ts";
import { compileSelector } from "./compile.ts";
import type { Identity, IdentityValue } from "./identity.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import { SelectorError } from "./selector-error.ts";

const INPUTS = sized(100_000, 1_000_000);
/** Generous: the machine may be busy. A test that hangs takes far longer. */
const MOST_MILLISECONDS = 200;

const directory = join(import.meta.dirname, "cases");
const seeds = readdirSync(directory)
  .flatMap((file) => JSON.parse(readFileSync(join(directory, file), "utf8")) as { selector: string }[])
  .map(({ selector }) => selector);
const PIECES = [
  ["a", "value", "list.x", "not", "and", "or", "in", "is", "empty", "contains", "matches", "==", "!=", ".", "["],
  ["]", "(", ")", '"', "`", '"x"', "`y`", "\\", "\\x4", "\\u00e9", "-", "0", "12", "1.5", "1e3", " ", "  ", "\t"],
  ["\n", "\r", "é", "😀", "\ud83d", "\0", "\uffff", "((((((((", "not not ", " and ", " or ", '["', '"]'],
].flat();

const random = randomOfRun();
const below = (limit: number): number => Math.floor(random() * limit);
const pick = (list: readonly string[]): string => list[below(list.length)] ?? "";

const identity: Identity = new Map<string, IdentityValue>([
  ["a", "x"],
  ["value", new Map([["x", "y"]])],
  ["list", new Map([["x", ["y"]]])],
]);
/** The engine is no part of this: patterns are made by chance, and JavaScript's engine can be made to hang. */
const regularExpressions = { compile: (pattern: string) => ({ matches: (text: string) => text.includes(pattern) }) };

test(
  `${INPUTS} random and mutated selectors: each is read or refused, soon`,
  () => {
    let read = 0;
    let slowest = { milliseconds: 0, text: "" };
    for (let round = 0; round < INPUTS; round++) {
      const text = random() < 0.3 ? randomText(40) : mutated(pick(seeds));
      const { milliseconds, taken } = timed(text);
      if (taken) read++;
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text };
    }
    expect(slowest.milliseconds, slowest.text).toBeLessThan(MOST_MILLISECONDS);
    // Else the inputs would be too wild to reach anything but the beginning of the parser.
    expect(read).toBeGreaterThan(INPUTS / 50);
    expect(read).toBeLessThan(INPUTS * 0.9);
  },
  INPUTS,
);

test("texts as long as a selector may be are read or refused soon, whatever they repeat", () => {
  const pieces = [...PIECES, "(a==b)and", "a==b and ", "not a==b or ", "a.", 'a["b"]', '"a" in ', "a is not ", "not ("];
  for (const piece of pieces) {
    for (const text of [piece.repeat(8192 / piece.length), `a == b and ${piece.repeat(8180 / piece.length)}`]) {
      expect(timed(text).milliseconds, piece).toBeLessThan(MOST_MILLISECONDS);
    }
  }
});

/** In processor time: another process may have had the processor meanwhile. */
function timed(text: string): { milliseconds: number; taken: boolean } {
  const start = process.threadCpuUsage();
  const taken = isTaken(text);
  const { user, system } = process.threadCpuUsage(start);
  return { milliseconds: (user + system) / 1000, taken };
}

/** Reads a text and does with it all that can be done. */
function isTaken(text: string): boolean {
  try {
    const selector = parseSelector(text);
    compileSelector(selector, regularExpressions)(identity);
    const printed = printSelector(selector);
    // The printed text may be longer than the text that was read, and then too long to be read.
    if (text.length < 1000 && printSelector(parseSelector(printed)) !== printed) throw new Error(`unstable: ${text}`);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function randomText(most: number): string {
  return Array.from({ length: below(most) }, () => pick(PIECES)).join("");
}

/** A few changes: a piece put in, a stretch cut out or doubled, two texts joined. */
function mutated(seed: string): string {
  let text = seed;
  for (let changes = below(4); changes >= 0; changes--) {
    const at = below(text.length + 1);
    const to = Math.min(text.length, at + below(8));
    const way = below(5);
    if (way === 0) text = text.slice(0, at) + pick(PIECES) + text.slice(at);
    else if (way === 1) text = text.slice(0, at) + text.slice(to);
    else if (way === 2) text = text.slice(0, to) + text.slice(at);
    else if (way === 3) text = text.slice(0, at) + pick(PIECES) + text.slice(to);
    else text = `${text}${pick([" and ", " or ", " ", ""])}${pick(seeds)}`;
  }
  return text;
}

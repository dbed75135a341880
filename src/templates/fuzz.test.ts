import { expect, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { sized } from "../../test/support/length.ts";
import { parseTemplate, renderTemplate, TemplateError } from "./template.ts";

const INPUTS = sized(100_000, 1_000_000);
/** Generous: the machine may be busy. A test that hangs takes far longer. */
const MOST_MILLISECONDS = 200;

const PIECES = [
  ["${", "${a}", "${ b }", "$${", "$$", "$", "}", "{", "a", "b", "value.x", ".", "-", "_", "(", ")", "[", '"', "\\"],
  [" ", "\t", "\n", "\r", "0", "1.5", "true", "é", "😀", "\ud83d", "\0", "+", "?", ":", "!", "${f(", "A", "İ"],
].flat();
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ["a", "Web"],
  ["b", "$${a}"],
  ["value.x", ""],
]);

const random = randomOfRun();
const below = (limit: number): number => Math.floor(random() * limit);

test(
  `${INPUTS} random templates: each is rendered or refused, soon`,
  () => {
    let rendered = 0;
    let slowest = { milliseconds: 0, text: "" };
    for (let round = 0; round < INPUTS; round++) {
      const text = Array.from({ length: below(12) }, () => PIECES[below(PIECES.length)]).join("");
      const { milliseconds, taken } = timed(text);
      if (taken) rendered++;
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text };
    }
    expect(slowest.milliseconds, slowest.text).toBeLessThan(MOST_MILLISECONDS);
    expect(rendered).toBeGreaterThan(INPUTS / 50);
    expect(rendered).toBeLessThan(INPUTS * 0.9);
  },
  INPUTS,
);

test("templates as long as they may be are rendered or refused soon, whatever they repeat", () => {
  for (const piece of PIECES) {
    for (const text of [piece.repeat(8192 / piece.length), `\${a}${piece.repeat(8180 / piece.length)}`]) {
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

function isTaken(text: string): boolean {
  try {
    renderTemplate(parseTemplate(text), VARIABLES);
    return true;
  } catch (error) {
    if (error instanceof TemplateError) return false;
    throw error;
  }
}

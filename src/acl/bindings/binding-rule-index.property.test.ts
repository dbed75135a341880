import { expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { plainExpressions } from "../../../test/support/binding-rules.ts";
import type { VerifiedIdentity } from "../../identities/validator.ts";
import { compileSelector } from "../../selectors/compile.ts";
import type { Identity, IdentityValue } from "../../selectors/identity.ts";
import { parseSelector } from "../../selectors/parse.ts";
import { printSelector } from "../../selectors/print.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Selector } from "../../selectors/tree.ts";
import { compileBindingRules, type StoredBindingRule } from "./compiled-binding-rules.ts";
import { shareExpressions } from "./shared-expressions.ts";

/** Sets of rules, each asked of several identities. */
const SETS = 300;
const RULES = 40;
const IDENTITIES = 12;

const random = randomOfRun();
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const many = <T>(least: number, most: number, make: () => T): T[] =>
  Array.from({ length: least + below(most - least + 1) }, make);

const PLACE = { start: 0, end: 0 };
const TEXTS = ["", "x", "y", "xy", "__proto__", "constructor"];
/** With it the engine gives up on some claims, which it is not asked about where literal text decides. */
const TEXTS_AND_LONG = [...TEXTS, "too long", "xy too long"];
const PATHS = [
  ["value", "a"],
  ["value", "b"],
  ["value", "__proto__"],
  ["list", "g"],
  ["list"],
  ["value"],
  ["top"],
  ["top", "below"],
] as const;
const PATTERNS = ["^x$", "^(x|y)$", "^x", "y", "x?$", "^(__proto__|)$", ".", "^x[y]$", "(?i)X"];
const OPERATORS = ["==", "==", "==", "!=", "in", "in", "not in", "matches", "matches", "not matches"] as const;

function randomSelector(depth: number): Selector {
  const kind = depth === 0 || random() < 0.2 ? "test" : pick(["not", "and", "and", "or"] as const);
  if (kind === "not") return { kind, operand: randomSelector(depth - 1), ...PLACE };
  if (kind !== "test") return { kind, operands: many(2, 3, () => randomSelector(depth - 1)), ...PLACE };
  const path = pick(PATHS);
  if (random() < 0.05) return { kind, operator: pick(["is empty", "is not empty"] as const), path, ...PLACE };
  const operator = pick(OPERATORS);
  const value = operator.endsWith("matches") ? pick(PATTERNS) : pick(TEXTS);
  return { kind, operator, path, value, ...PLACE };
}

function randomIdentity(texts: readonly string[]): VerifiedIdentity {
  const map = <T extends IdentityValue>(names: readonly string[], make: () => T): Map<string, T> =>
    new Map(names.flatMap((name) => (random() < 0.7 ? [[name, make()] as const] : [])));
  const fields = new Map<string, IdentityValue>([
    ["value", map(["a", "b", "__proto__", "c"], () => pick(texts))],
    ["list", map(["g", "h"], () => many(0, 3, () => pick(texts)))],
  ]);
  if (random() < 0.5) fields.set("top", pick(["x", "xy", ["x"], new Map([["below", "x"]])]));
  return { fields, variables: new Map() };
}

/** IDs of the rules that match when each is evaluated, one after the other. */
function boundOneByOne(
  rules: readonly { id: string; selector: Selector }[],
  { fields }: VerifiedIdentity,
  engine: RegularExpressions,
): string[] {
  return rules.filter(({ selector }) => matchesAlone(selector, fields, engine)).map(({ id }) => id);
}

function matchesAlone(selector: Selector, fields: Identity, engine: RegularExpressions): boolean {
  try {
    return compileSelector(selector, engine)(fields);
  } catch {
    return false;
  }
}

test(`indexed rules give the same as each rule asked alone, ${SETS * RULES * IDENTITIES} random questions`, async () => {
  let bound = 0;
  let candidates = 0;
  for (let set = 0; set < SETS; set++) {
    const rules = Array.from({ length: RULES }, (_, i) => ({ id: `r${100 + i}`, selector: randomSelector(3) }));
    const stored = rules.map(({ id, selector }): StoredBindingRule => ({
      id,
      selector: printSelector(selector),
      bindType: "service",
      bindName: id,
      bindVars: undefined,
      modifyIndex: 1,
    }));
    const compiled = await compileBindingRules(stored, plainExpressions);
    const again = await compileBindingRules(stored, plainExpressions, compiled);
    for (let i = 0; i < IDENTITIES; i++) {
      const isLong = i % 3 === 0;
      const identity = randomIdentity(isLong ? TEXTS_AND_LONG : TEXTS);
      const expected = boundOneByOne(rules, identity, isLong ? shareExpressions(plainExpressions) : plainExpressions);
      const names = compiled.matching(identity).map(({ name }) => name);
      if (names.join() !== expected.join()) {
        const wrong = rules.filter(({ id }) => names.includes(id) !== expected.includes(id));
        expect({ identity, wrong: wrong.map(({ selector }) => printSelector(selector)) }).toEqual({
          identity,
          wrong: [],
        });
      }
      expect(again.matching(identity).map(({ name }) => name)).toEqual(expected);
      bound += expected.length;
      candidates += compiled.candidates(identity.fields).length;
    }
  }
  // The run shows nothing unless rules match, and the index leaves rules out that do not.
  const questions = SETS * RULES * IDENTITIES;
  expect(bound).toBeGreaterThan(questions / 20);
  expect(candidates).toBeLessThan(questions * 0.95);
});

test("what is printed for the test reads as what it was made from", () => {
  for (let round = 0; round < 1000; round++) {
    const text = printSelector(randomSelector(3));
    expect(printSelector(parseSelector(text))).toBe(text);
  }
});

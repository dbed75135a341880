/**
 * Selectors filed under what an identity must have for them to match, so that a login looks at those alone for which the
 * identity has it. Numbers stand for selectors: their places in the list that was indexed.
 */
import { isList, isMap, type Identity, type IdentityValue } from "../../selectors/identity.ts";
import type { Path, Selector, Test } from "../../selectors/tree.ts";
import { LITERAL_BUDGET, literalsOf } from "./pattern-literals.ts";

/** Finds the selectors that an identity may match, and all that it does match among them; in no order, none twice. */
export type FindCandidates = (identity: Identity) => number[];

/** Entries of one field of the identity, and of the fields below it. */
interface Field<T> {
  readonly names: Map<string, Field<T>>;
  readonly is: Map<string, T>;
  readonly holds: Map<string, T>;
}

/**
 * Files each selector under that of its needs which it shares with the fewest others. Those without needs are always candidates.
 * Work that can pause.
 */
export function* indexByNeeds(needs: readonly (Need | undefined)[]): Generator<void, FindCandidates> {
  const counts = yield* countNeeds(needs);
  const root: Field<number[]> = emptyField();
  const always: number[] = [];
  for (const [number, need] of needs.entries()) {
    yield;
    if (need === undefined) always.push(number);
    else for (const key of cheapest(need, counts).keys) file(root, key, number);
  }
  return (identity) => {
    const found = new Set<number>();
    collect(root, identity, found);
    return [...found, ...always];
  };
}

function* countNeeds(needs: readonly (Need | undefined)[]): Generator<void, Field<number>> {
  const counts: Field<number> = emptyField();
  for (const need of needs) {
    yield;
    if (need !== undefined) count(counts, need);
  }
  return counts;
}

function count(counts: Field<number>, need: Need): void {
  if ("of" in need) {
    for (const part of need.of) count(counts, part);
    return;
  }
  const under = fieldAt(counts, need.path)[need.kind];
  under.set(need.value, (under.get(need.value) ?? 0) + 1);
}

interface Choice {
  /** The identity must have at least one of these. */
  readonly keys: readonly FieldNeed[];
  /** Number of selectors that share them. */
  readonly cost: number;
}

function cheapest(need: Need, counts: Field<number>): Choice {
  switch (need.kind) {
    case "all":
      return need.of
        .map((part) => cheapest(part, counts))
        .reduce((best, choice) => (choice.cost < best.cost ? choice : best));
    case "any": {
      const choices = need.of.map((part) => cheapest(part, counts));
      return {
        keys: choices.flatMap(({ keys }) => keys),
        cost: choices.reduce((cost, choice) => cost + choice.cost, 0),
      };
    }
    case "is":
    case "holds":
      return { keys: [need], cost: fieldAt(counts, need.path)[need.kind].get(need.value) ?? 0 };
  }
}

function file(root: Field<number[]>, { kind, path, value }: FieldNeed, number: number): void {
  const under = fieldAt(root, path)[kind];
  const filed = under.get(value);
  if (filed === undefined) under.set(value, [number]);
  else filed.push(number);
}

function fieldAt<T>(root: Field<T>, path: Path): Field<T> {
  let field = root;
  for (const name of path) {
    let next = field.names.get(name);
    if (next === undefined) {
      next = emptyField();
      field.names.set(name, next);
    }
    field = next;
  }
  return field;
}

function emptyField<T>(): Field<T> {
  return { names: new Map(), is: new Map(), holds: new Map() };
}

function collect(field: Field<number[]>, value: IdentityValue, found: Set<number>): void {
  if (isMap(value)) {
    collectBelow(field, value, found);
    collectHeld(field, value.keys(), found);
  } else if (isList(value)) {
    collectHeld(field, value, found);
  } else {
    add(field.is.get(value), found);
    // Contained texts cannot be looked up: that takes as long as evaluation, which may be done in turns.
    for (const numbers of field.holds.values()) add(numbers, found);
  }
}

/** Goes through whichever has fewer names. */
function collectBelow({ names }: Field<number[]>, map: Identity, found: Set<number>): void {
  if (map.size < names.size) {
    for (const [name, value] of map) {
      const below = names.get(name);
      if (below !== undefined) collect(below, value, found);
    }
    return;
  }
  for (const [name, below] of names) {
    const value = map.get(name);
    if (value !== undefined) collect(below, value, found);
  }
}

function collectHeld({ holds }: Field<number[]>, elements: Iterable<string>, found: Set<number>): void {
  if (holds.size === 0) return;
  for (const element of elements) add(holds.get(element), found);
}

function add(numbers: readonly number[] | undefined, found: Set<number>): void {
  if (numbers === undefined) return;
  for (const number of numbers) found.add(number);
}

/** The field at `path` is this text; or it holds the text: as an element, a key, or a part of a text. */
export interface FieldNeed {
  readonly kind: "is" | "holds";
  readonly path: Path;
  readonly value: string;
}

/** All of these, or at least one of them. There are two or more. */
export interface JoinedNeed {
  readonly kind: "all" | "any";
  readonly of: readonly Need[];
}

/** Need of a selector: without it no identity matches. An identity that has it may still not match. */
export type Need = FieldNeed | JoinedNeed;

/** The need of a selector, of those of its tests that can be looked up; undefined when it may match without any. */
export function needOf(selector: Selector): Need | undefined {
  return needFor(selector, true);
}

/** @param wanted what the selector must come out as: below a `not`, `!=` and `or` need what `==` and `and` do above */
function needFor(selector: Selector, wanted: boolean): Need | undefined {
  switch (selector.kind) {
    case "test":
      return needOfTest(selector, wanted);
    case "not":
      return needFor(selector.operand, !wanted);
    case "and":
    case "or": {
      const needs = selector.operands.map((operand) => needFor(operand, wanted));
      return (selector.kind === "and") === wanted ? all(needs) : any(needs);
    }
  }
}

function needOfTest(test: Test, wanted: boolean): Need | undefined {
  const { path } = test;
  switch (test.operator) {
    case wanted ? "==" : "!=":
      return { kind: "is", path, value: test.value };
    case wanted ? "in" : "not in":
      return { kind: "holds", path, value: test.value };
    case wanted ? "matches" : "not matches":
      return any(
        literalsOf(test.value, LITERAL_BUDGET)?.exact?.map((value) => ({ kind: "is", path, value })) ?? [undefined],
      );
    default:
      return undefined;
  }
}

function all(needs: readonly (Need | undefined)[]): Need | undefined {
  return joined(
    "all",
    needs.filter((need) => need !== undefined),
  );
}

function any(needs: readonly (Need | undefined)[]): Need | undefined {
  const known = needs.filter((need) => need !== undefined);
  return known.length === needs.length ? joined("any", known) : undefined;
}

function joined(kind: JoinedNeed["kind"], needs: readonly Need[]): Need | undefined {
  // A copy has no room to grow, which a list that was filtered has: there are as many as there are rules.
  return needs.length > 1 ? { kind, of: needs.slice() } : needs[0];
}

import type { Path, Selector, Test } from "../../selectors/tree.ts";
import { LITERAL_BUDGET, literalsOf } from "./pattern-literals.ts";

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

/** What an identity must have for a selector to match it at all. That it has it does not say yet that the selector matches. */
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

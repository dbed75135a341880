import type { Path, Selector } from "./tree.ts";

/** The field at `path` must be this text. */
export interface Requirement {
  readonly path: Path;
  readonly value: string;
}

/**
 * The equality tests without which a selector can not match, in the order in which they stand. An identity that fails one
 * of them need not be asked; a selector without any must always be.
 */
export function requirementsOf(selector: Selector): Requirement[] {
  const requirements: Requirement[] = [];
  collect(selector, true, requirements);
  return requirements;
}

/** @param wanted what the selector must come out as: below a `not`, `!=` and `or` require what `==` and `and` do above */
function collect(selector: Selector, wanted: boolean, requirements: Requirement[]): void {
  switch (selector.kind) {
    case "test":
      if (selector.operator === (wanted ? "==" : "!=")) {
        requirements.push({ path: selector.path, value: selector.value });
      }
      return;
    case "not":
      collect(selector.operand, !wanted, requirements);
      return;
    case "and":
    case "or":
      if ((selector.kind === "and") !== wanted) return;
      for (const operand of selector.operands) collect(operand, wanted, requirements);
  }
}

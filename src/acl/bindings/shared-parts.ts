import type { Path, Selector } from "../../selectors/tree.ts";

/** Gives a selector the paths and values that selectors before it had, where they are equal. */
export type ShareParts = (selector: Selector) => Selector;

/** Thousands of rules ask about the same few fields: what they have in common is kept once. */
export function createSharing(): ShareParts {
  const paths: PathNode = { path: undefined, longer: new Map() };
  const values = new Map<string, string>();

  function share(selector: Selector): Selector {
    switch (selector.kind) {
      case "test": {
        const path = sharedPath(paths, selector.path);
        return "value" in selector
          ? { ...selector, path, value: shared(values, selector.value) }
          : { ...selector, path };
      }
      case "not":
        return { ...selector, operand: share(selector.operand) };
      case "and":
      case "or":
        return { ...selector, operands: selector.operands.map(share) };
    }
  }

  return share;
}

interface PathNode {
  path: Path | undefined;
  readonly longer: Map<string, PathNode>;
}

function sharedPath(paths: PathNode, path: Path): Path {
  let node = paths;
  for (const name of path) {
    const next = node.longer.get(name) ?? { path: undefined, longer: new Map() };
    node.longer.set(name, next);
    node = next;
  }
  // A copy has no room to grow, which a list that was grown has.
  node.path ??= [path[0], ...path.slice(1)];
  return node.path;
}

function shared(values: Map<string, string>, value: string): string {
  const known = values.get(value);
  if (known !== undefined) return known;
  values.set(value, value);
  return value;
}

/** Layout of the drawings of access. */
import { expect, it } from "vitest";
import { NODE_HEIGHT, placeGraph, type Graph, type GraphNode } from "../../console/src/kit/graph-layout.ts";

const node = (id: string, more: Partial<GraphNode> = {}): GraphNode => ({ id, icon: "key", text: id, ...more });
const GRAPH: Graph = {
  label: "drawing",
  columns: [
    { title: "Used by", nodes: [node("a"), node("b")] },
    { title: "Nothing", nodes: [] },
    { title: "Roles", nodes: [node("x"), node("y"), node("z", { isDeciding: true })] },
    { title: "Policy", nodes: [node("p")] },
  ],
  edges: [
    { from: "a", to: "y" },
    { from: "b", to: "x" },
    { from: "z", to: "p", isDeciding: true },
    { from: "a", to: "p" },
    { from: "b", to: "p" },
    { from: "b", to: "missing" },
    { from: "p", to: "a" },
  ],
};

it("nodes of a column do not overlap, empty columns take no room, and all is within the drawing", () => {
  const { columns, height } = placeGraph(GRAPH);
  expect(columns.map(({ title }) => title)).toEqual(["Used by", "Roles", "Policy"]);
  for (const { nodes, start, width } of columns) {
    for (const [index, { top }] of nodes.entries()) {
      expect(top).toBeGreaterThanOrEqual(index === 0 ? 0 : (nodes[index - 1]?.top ?? 0) + NODE_HEIGHT);
      expect(top + NODE_HEIGHT).toBeLessThanOrEqual(height);
    }
    expect(start + width).toBeLessThanOrEqual(100.001);
  }
});

it("the deciding node is first in its column, and the others are in the order of what leads to them", () => {
  const { columns } = placeGraph(GRAPH);
  expect(columns[1]?.nodes.map(({ id }) => id)).toEqual(["z", "y", "x"]);
});

it("lines lead to the right only, to nodes that are there, the deciding one above the others", () => {
  const { lines } = placeGraph(GRAPH);
  expect(lines.map(({ isDeciding }) => isDeciding)).toEqual([false, false, false, false, true]);
});

it("lines that pass a column do so at a place where no node is", () => {
  const { columns, lines } = placeGraph(GRAPH);
  const passing = lines.flatMap(({ path }) => [...path.matchAll(/ ([\d.]+) H/g)].map(([, y]) => Number(y)));
  expect(passing).toHaveLength(2);
  expect(new Set(passing).size).toBe(1);
  for (const y of passing) {
    for (const { top } of columns[1]?.nodes ?? []) expect(y < top || y > top + NODE_HEIGHT).toBe(true);
  }
});

it("names say what they lead to", () => {
  const { columns } = placeGraph(GRAPH);
  expect(columns[0]?.nodes.map(({ leadsTo }) => leadsTo)).toEqual([
    ["y", "p"],
    ["x", "p"],
  ]);
});

/**
 * Layout of a drawing of access: few columns of names with lines between them. A layout library would be most of the page's
 * weight (elkjs: 1,650 kB, d3-dag: 143 kB, both minified; this file: 2 kB), and here the column of each node is known, so only the order in a column and
 * the rows of lines that pass a column are left to find.
 */
export interface GraphNode {
  readonly id: string;
  readonly icon: "check" | "close" | "key" | "lock" | "method" | "namespace" | "policy" | "role" | "rule" | "template";
  readonly text: string;
  /** Second line. */
  readonly note?: string | undefined;
  /** Address that it links to. */
  readonly to?: string | undefined;
  /** Whether it is on the path that decides. */
  readonly isDeciding?: boolean;
  /** Result of the decision. */
  readonly isAllowed?: boolean | undefined;
}

interface GraphColumn {
  readonly title: string;
  readonly nodes: readonly GraphNode[];
}

interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isDeciding?: boolean;
}

/** Drawing of access: lines lead from left to right. */
export interface Graph {
  /** Content of the drawing, in words. */
  readonly label: string;
  readonly columns: readonly GraphColumn[];
  readonly edges: readonly GraphEdge[];
}

export interface PlacedNode extends GraphNode {
  /** Distance of its top from that of the drawing, in pixels. */
  readonly top: number;
  /** Names of the nodes that it leads to. */
  readonly leadsTo: readonly string[];
}

interface PlacedColumn {
  readonly title: string;
  readonly nodes: readonly PlacedNode[];
  /** Its start and its width in percent. */
  readonly start: number;
  readonly width: number;
}

export interface PlacedGraph {
  readonly columns: readonly PlacedColumn[];
  /** Lines as SVG paths in a box of 100 by `height`. */
  readonly lines: readonly { readonly path: string; readonly isDeciding: boolean }[];
  readonly height: number;
}

/** Height of a node, and of the row of one, of a line that passes, in pixels. */
export const NODE_HEIGHT = 44;
const ROW = 56;
const PASSING_ROW = 18;
/** Space between two columns, as a part of the width of one. */
const GAP = 0.3;

/** A node, or the place where a line passes a column on its way to one. */
interface Slot {
  readonly id: string;
  readonly node: GraphNode | undefined;
}

/** Places the nodes and lines of a drawing. Empty columns are left out; lines from or to nodes that are not there too. */
export function placeGraph({ columns: all, edges }: Graph): PlacedGraph {
  const columns = all.filter(({ nodes }) => nodes.length > 0);
  const columnOf = new Map(columns.flatMap(({ nodes }, index) => nodes.map(({ id }) => [id, index] as const)));
  const routes = edges.flatMap((edge) => routeOf(edge, columnOf));
  const slots = columns.map(({ nodes }, index): Slot[] => {
    const passing = new Set(
      routes
        .flatMap(({ steps }) => steps.filter(({ column, isPassing }) => isPassing && column === index))
        .map(({ id }) => id),
    );
    return [...nodes.map((node) => ({ id: node.id, node })), ...[...passing].map((id) => ({ id, node: undefined }))];
  });
  const { centers, height } = stack(inOrder(slots, routes));
  const width = 100 / (columns.length + (columns.length - 1) * GAP);
  const startOf = (column: number) => column * (1 + GAP) * width;
  const names = new Map(columns.flatMap(({ nodes }) => nodes.map(({ id, text }) => [id, text] as const)));
  return {
    height,
    columns: columns.map(({ title, nodes }, index) => ({
      title,
      start: startOf(index),
      width,
      nodes: nodes
        .map((node) => ({
          ...node,
          top: (centers.get(node.id) ?? 0) - NODE_HEIGHT / 2,
          leadsTo: edges.flatMap(({ from, to }) => (from === node.id ? [names.get(to) ?? []].flat() : [])),
        }))
        .toSorted((one, other) => one.top - other.top),
    })),
    // Lines of the deciding path are drawn above the others.
    lines: routes
      .map(({ steps, isDeciding }) => ({ isDeciding, path: pathOf(steps, centers, startOf, width) }))
      .toSorted((one, other) => Number(one.isDeciding) - Number(other.isDeciding)),
  };
}

interface Step {
  readonly id: string;
  readonly column: number;
  readonly isPassing: boolean;
}

interface Route {
  readonly steps: readonly Step[];
  readonly isDeciding: boolean;
}

/** Lines to one node pass a column at one place, so that they look like one. */
function routeOf({ from, to, isDeciding = false }: GraphEdge, columnOf: ReadonlyMap<string, number>): readonly Route[] {
  const [first, last] = [columnOf.get(from), columnOf.get(to)];
  if (first === undefined || last === undefined || first >= last) return [];
  const steps = Array.from({ length: last - first + 1 }, (_, index): Step => {
    const column = first + index;
    const isPassing = index > 0 && column < last;
    return { id: isPassing ? `${column}>${to}` : index === 0 ? from : to, column, isPassing };
  });
  return [{ steps, isDeciding }];
}

/** Orders each column by the places of its neighbors in the column before, the deciding path first. */
function inOrder(slots: readonly Slot[][], routes: readonly Route[]): readonly Slot[][] {
  const before = new Map<string, string[]>();
  for (const { steps } of routes) {
    for (const [index, { id }] of steps.entries()) {
      const previous = steps[index - 1];
      if (previous !== undefined) before.set(id, [...(before.get(id) ?? []), previous.id]);
    }
  }
  const rank = new Map<string, number>();
  return slots.map((column) => {
    const wanted = (id: string, index: number) => {
      const ranks = (before.get(id) ?? []).flatMap((each) => rank.get(each) ?? []);
      return ranks.length === 0 ? index : ranks.reduce((sum, each) => sum + each, 0) / ranks.length;
    };
    const places = new Map(column.map(({ id }, index) => [id, wanted(id, index)]));
    const ordered = column.toSorted(
      (one, other) =>
        Number(other.node?.isDeciding ?? false) - Number(one.node?.isDeciding ?? false) ||
        (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0),
    );
    for (const [index, { id }] of ordered.entries()) rank.set(id, index);
    return ordered;
  });
}

function stack(columns: readonly Slot[][]): { centers: ReadonlyMap<string, number>; height: number } {
  const sizeOf = ({ node }: Slot) => (node === undefined ? PASSING_ROW : ROW);
  const heights = columns.map((column) => column.reduce((sum, slot) => sum + sizeOf(slot), 0));
  const height = Math.max(0, ...heights);
  const centers = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    let top = (height - (heights[index] ?? 0)) / 2;
    for (const slot of column) {
      centers.set(slot.id, top + sizeOf(slot) / 2);
      top += sizeOf(slot);
    }
  }
  return { centers, height };
}

function pathOf(
  steps: readonly Step[],
  centers: ReadonlyMap<string, number>,
  startOf: (column: number) => number,
  width: number,
): string {
  const round = (value: number) => String(Math.round(value * 100) / 100);
  let path = "";
  for (const [index, step] of steps.entries()) {
    const previous = steps[index - 1];
    if (previous === undefined) continue;
    const [x, y] = [startOf(previous.column) + width, centers.get(previous.id) ?? 0];
    const [nextX, nextY] = [startOf(step.column), centers.get(step.id) ?? 0];
    const middle = (x + nextX) / 2;
    if (path === "") path = `M${round(x)} ${round(y)}`;
    path += ` C${round(middle)} ${round(y)} ${round(middle)} ${round(nextY)} ${round(nextX)} ${round(nextY)}`;
    if (step.isPassing) path += ` H${round(nextX + width)}`;
  }
  return path;
}

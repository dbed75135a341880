/** Tables for people: widths from the first rows, so that a list of any length is a stream; cut where the terminal ends. */
import type { OutputColumn, Item } from "./types.ts";
import { at, cellText, cut, widthOf } from "./values.ts";

const GAP = "  ";
/** Members by which objects are named in other commands: what is cut of them is of no use. */
const KEYS: ReadonlySet<unknown> = new Set([
  "Name",
  "ID",
  "AccessorID",
  "SecretID",
  "id",
  "name",
  "attributes.name",
  "attributes.key",
]);
/** Minimum width of a column. Where that does not help, the last columns are left out. */
const NARROWEST = 8;

/** A table whose widths are settled. */
export interface Table {
  readonly header: string;
  /** Titles of columns that have no room. */
  readonly left: readonly string[];
  row(item: Item): string;
}

/** A cell of an item. */
export function cellOf(item: Item, { value }: OutputColumn): string {
  return cellText(typeof value === "string" ? at(item, value) : value(item));
}

/**
 * Settles the widths.
 *
 * @param first the rows that they follow from
 * @param room the terminal's columns; undefined where nothing is to be cut
 */
export function tableFor(columns: readonly OutputColumn[], first: readonly Item[], room: number | undefined): Table {
  const natural = columns.map((column) =>
    Math.max(widthOf(column.title), ...first.map((item) => widthOf(cellOf(item, column)))),
  );
  const all = columns.map((column, index) => ({
    column,
    width: natural[index] ?? 0,
    isKey: KEYS.has(column.value),
  }));
  const shown = room === undefined ? all : fitted(all, room);
  const line = (textOf: (column: OutputColumn) => string) =>
    shown
      .map(({ column, width, isKey }) => pad(textOf(column), width, room !== undefined && !isKey))
      .join(GAP)
      .trimEnd();
  return {
    left: all.filter(({ column }) => !shown.some((each) => each.column === column)).map(({ column }) => column.title),
    header: line(({ title }) => title.toUpperCase()),
    row: (item) => line((column) => cellOf(item, column)),
  };
}

interface Fitted {
  readonly column: OutputColumn;
  readonly width: number;
  /** Whether it is never cut: where it has no room it goes as a whole, and the first one of all stays in any case. */
  readonly isKey: boolean;
}

/**
 * Columns with widths that fit. The last keys go first, as far as all of them have no room; of the others the widest is made narrower, over
 * and over, and at last those at the end go.
 */
function fitted(columns: readonly Fitted[], room: number): Fitted[] {
  const keys = columns.filter(({ isKey }) => isKey);
  // A row begins with what it is about, be that a key or not.
  const [first] = columns;
  const start = first === undefined || first.isKey ? [] : [{ ...first, width: Math.min(first.width, NARROWEST) }];
  const least = first?.isKey === true ? 1 : 0;
  while (keys.length > least && total([...start, ...keys]) > room) keys.pop();
  const kept = columns.filter((column) => !column.isKey || keys.includes(column));
  while (kept.length > 1 && total(kept) > room) {
    const widest = Math.max(NARROWEST, ...kept.map(({ width, isKey }) => (isKey ? 0 : width)));
    const place = kept.findIndex(({ width, isKey }) => !isKey && width === widest && width > NARROWEST);
    const column = kept[place];
    if (column !== undefined) kept[place] = { ...column, width: widest - 1 };
    else
      kept.splice(
        kept.findLastIndex(({ isKey }) => !isKey),
        1,
      );
  }
  const [only] = kept;
  return kept.length === 1 && only?.isKey === false
    ? [{ ...only, width: Math.max(1, Math.min(only.width, room)) }]
    : kept;
}

function total(columns: readonly Fitted[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * (columns.length - 1);
}

function pad(cell: string, width: number, isCut: boolean): string {
  const text = isCut ? cut(cell, width) : cell;
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

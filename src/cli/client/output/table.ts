/** Tables for people: widths from the first rows, so that a list of any length is a stream; cut where the terminal ends. */
import type { Column, Item } from "./types.ts";
import { at, cellText, cut, widthOf } from "./values.ts";

const GAP = "  ";
/** What a column is never made narrower than; where that does not help, the last ones go. */
const NARROWEST = 8;

/** A table whose widths are settled. */
export interface Table {
  readonly header: string;
  /** Titles of columns that have no room. */
  readonly left: readonly string[];
  row(item: Item): string;
}

/** A cell of an item. */
export function cellOf(item: Item, { value }: Column): string {
  return cellText(typeof value === "string" ? at(item, value) : value(item));
}

/**
 * Settles the widths.
 *
 * @param first the rows that they follow from
 * @param room the terminal's columns; undefined where nothing is to be cut
 */
export function tableFor(columns: readonly Column[], first: readonly Item[], room: number | undefined): Table {
  const natural = columns.map((column) =>
    Math.max(widthOf(column.title), ...first.map((item) => widthOf(cellOf(item, column)))),
  );
  const widths = room === undefined ? natural : fitted(natural, room);
  const shown = columns.slice(0, widths.length);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0, room !== undefined))
      .join(GAP)
      .trimEnd();
  return {
    left: columns.slice(widths.length).map(({ title }) => title),
    header: line(shown.map(({ title }) => title.toUpperCase())),
    row: (item) => line(shown.map((column) => cellOf(item, column))),
  };
}

/** Widths that fit: the widest is made narrower, over and over, and at last the columns at the end go. */
function fitted(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  while (total(widths) > room) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) {
      if (widths.length === 1) return [Math.max(1, room)];
      widths.pop();
    } else {
      widths[widths.indexOf(widest)] = widest - 1;
    }
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}

function pad(cell: string, width: number, isCut: boolean): string {
  const text = isCut ? cut(cell, width) : cell;
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

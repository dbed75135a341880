/** Plain tables of the benchmark of several nodes. */
import { format } from "../report.ts";

/** A title, a header and lines; numbers are shown as in the other benchmarks, and stand to the right. */
export interface PlainTable {
  readonly title: string;
  readonly header: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
  /** Sentences below the table. */
  readonly notes?: readonly string[];
}

/** The text of a table. */
export function renderPlain({ title, header, lines, notes = [] }: PlainTable): string {
  const cells = lines.map((line) => line.map((cell) => (typeof cell === "number" ? show(cell) : cell)));
  const widths = header.map((head, column) => Math.max(head.length, ...cells.map((line) => line[column]?.length ?? 0)));
  const isNumber = header.map((_, column) => lines.some((line) => typeof line[column] === "number"));
  const layOut = (line: readonly string[]): string =>
    line
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const text = [`## ${title}`, "", layOut(header), rule, ...cells.map(layOut)];
  return [...text, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}

/** The value below which so many of 100 lie; 0 for none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}

function show(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const text = format(Math.abs(value));
  return value < 0 && Number(text) !== 0 ? `-${text}` : text;
}

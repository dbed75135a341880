/** Turns measurements into a text table. */
import type { Goal, Row } from "./scenario.ts";
import type { StreamResult } from "./load-types.ts";

/** What one engine gave, as it is written with `--json`. */
export interface EngineReport {
  readonly engine: string;
  readonly rows: readonly Row[];
  /** Facts that are not a stream of requests, such as memory. */
  readonly facts: readonly Fact[];
}

/** A single number. */
export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const header = ["scenario", "conns", "per second", "floor", "ratio", "p50 ms", "floor", "p99 ms", "max ms", "goal", ""];

/** The table of one engine, one line per stream. */
export function renderTable(report: EngineReport): string {
  const lines = report.rows.flatMap((row) => row.streams.map((stream, index) => renderLine(row, stream, index)));
  const table = [header, ...lines];
  const widths = header.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const text = table.map((line) =>
    line
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join("  ")
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  const facts = report.facts.map(({ name, value, unit }) => `${name}: ${format(value)} ${unit}`);
  return [`## ${report.engine}`, "", ...text, "", ...facts].join("\n");
}

/** Whether a stream reached the goal. */
export function reaches(goal: Goal, stream: StreamResult): boolean {
  const value = stream[goal.metric];
  return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
}

function renderLine(row: Row, stream: StreamResult, index: number): string[] {
  const goals = row.goals.filter((goal) => (goal.stream ?? 0) === index);
  const floor = index === 0 ? row.floor : undefined;
  const met = goals.map((goal) => (reaches(goal, stream) ? "ok" : "MISSED"));
  return [
    index === 0 ? row.scenario : `  meanwhile: ${stream.name}`,
    String(stream.connections),
    format(stream.perSecond),
    floor ? format(floor.perSecond) : "",
    floor ? (stream.perSecond / floor.perSecond).toFixed(2) : "",
    format(stream.p50),
    floor ? format(floor.p50) : "",
    format(stream.p99),
    format(stream.max),
    goals.map(renderGoal).join(", "),
    met.join(", "),
  ];
}

function renderGoal({ metric, atLeast, atMost }: Goal): string {
  const unit = metric === "perSecond" ? "/s" : " ms";
  const name = metric === "perSecond" ? "" : `${metric} `;
  return atLeast === undefined ? `${name}≤ ${format(atMost ?? 0)}${unit}` : `${name}≥ ${format(atLeast)}${unit}`;
}

/** A number as the tables show it. */
export function format(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function pad(text: string, width: number, column: number): string {
  return column === 0 || column >= 9 ? text.padEnd(width) : text.padStart(width);
}

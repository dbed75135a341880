/** Turns measurements into a text table. */
import type { Goal, Row } from "./scenario.ts";
import type { StreamResult } from "./load-types.ts";
import { PEER_OF_BARE } from "./peer.ts";

/** Results of one engine, in the form that `--json` writes. */
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

const header = [
  "scenario",
  "conns",
  "per second",
  "bare",
  "of bare",
  "of shell",
  "of durable",
  "peer of bare",
  "µs each",
  "p50 ms",
  "p99 ms",
  "max ms",
  "goal",
  "",
];
/** Columns from here on hold text. */
const GOAL_COLUMN = header.indexOf("goal");

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
export function reaches(goal: Goal, stream: StreamResult, row: Row): boolean {
  const value = goal.metric === "share" ? (row.ofBare ?? 0) : stream[goal.metric];
  return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
}

function renderLine(row: Row, stream: StreamResult, index: number): string[] {
  const goals = row.goals.filter((goal) => (goal.stream ?? 0) === index);
  const met = goals.map((goal) => (reaches(goal, stream, row) ? "ok" : "MISSED"));
  const share = (of: number | undefined): string => (of === undefined || index > 0 ? "" : of.toFixed(2));
  return [
    index === 0 ? row.scenario : `  meanwhile: ${stream.name}`,
    String(stream.connections),
    format(stream.perSecond),
    row.bare === undefined || index > 0 ? "" : format(row.bare.perSecond),
    share(row.ofBare),
    share(row.ofShell),
    share(row.ofDurable),
    index === 0 ? (PEER_OF_BARE[row.scenario] ?? "") : "",
    index === 0 && row.microseconds > 0 ? format(row.microseconds) : "",
    format(stream.p50),
    format(stream.p99),
    format(stream.max),
    goals.map(renderGoal).join(", "),
    met.join(", "),
  ];
}

function renderGoal({ metric, atLeast, atMost }: Goal): string {
  const unit = metric === "perSecond" ? "/s" : metric === "share" ? " of bare" : " ms";
  const name = metric === "perSecond" || metric === "share" ? "" : `${metric} `;
  return atLeast === undefined ? `${name}≤ ${format(atMost ?? 0)}${unit}` : `${name}≥ ${format(atLeast)}${unit}`;
}

/** A number as the tables show it. */
export function format(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function pad(text: string, width: number, column: number): string {
  return column === 0 || column >= GOAL_COLUMN ? text.padEnd(width) : text.padStart(width);
}

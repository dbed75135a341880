/**
 * Holds two results of `npm run bench -- --json FILE` against each other, by what each row reaches of the bare server; a
 * write by what it reaches of the bare server that syncs, as the disk of a machine changes by a factor of ten.
 */
import { readFileSync } from "node:fs";
import type { EngineReport } from "./report.ts";
import type { Row } from "./scenario.ts";

/** Contents of the file that `--json` writes. */
export interface BenchResult {
  readonly machine: string;
  readonly reports: readonly EngineReport[];
}

/** Part of a result that is compared. */
export interface Shares {
  readonly machine: string;
  readonly reports: readonly {
    readonly engine: string;
    readonly rows: readonly Pick<Row, "scenario" | "ofBare" | "ofDurable">[];
  }[];
}

/** A row that is in both results. */
export interface Comparison {
  /** Engine, scenario and the server that it is compared with. */
  readonly name: string;
  readonly before: number;
  readonly now: number;
}

export function readShares(file: string): Shares {
  return JSON.parse(readFileSync(file, "utf8")) as Shares;
}

/** The rows that both have. @throws Error when there is none: nothing would have been compared */
export function compare(before: Shares, now: Shares): Comparison[] {
  const shares = sharesOf(before);
  const rows = [...sharesOf(now)].flatMap(([name, share]) => {
    const known = shares.get(name);
    return known === undefined ? [] : [{ name, before: known, now: share }];
  });
  if (rows.length === 0) throw new Error("the two results have no row in common");
  return rows;
}

/** Returns the rows that lost more than the tolerance. @param tolerance fraction of the previous value, such as 0.1 */
export function losses(rows: readonly Comparison[], tolerance: number): Comparison[] {
  return rows.filter(({ before, now }) => now < before * (1 - tolerance));
}

export function renderComparison(rows: readonly Comparison[], tolerance: number): string {
  const lost = new Set(losses(rows, tolerance));
  return rows
    .map((row) => {
      const change = `${(100 * (row.now / row.before - 1)).toFixed(0)} %`;
      const shares = `${row.before.toFixed(3)} -> ${row.now.toFixed(3)}`;
      return `${lost.has(row) ? "LOST" : "ok  "}  ${row.name}: ${shares} (${change})`;
    })
    .join("\n");
}

function sharesOf({ reports }: Shares): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { engine, rows } of reports) {
    for (const { scenario, ofBare, ofDurable } of rows) {
      if (ofDurable !== undefined) shares.set(`${engine}: ${scenario}, of durable`, ofDurable);
      else if (ofBare !== undefined) shares.set(`${engine}: ${scenario}, of bare`, ofBare);
    }
  }
  return shares;
}

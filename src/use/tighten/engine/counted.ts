/** Which rows of the ledger count for tighten. Pure. */
import type { UseRow } from "../../../records/uses/row.ts";

/** The last days, by the database's clock; today is the last of them. */
export interface UseWindow {
  /** As days since 1970-01-01. */
  readonly today: number;
  readonly days: number;
  /**
   * Decision points whose questions about others count (`decisionPointOf`). Without these, whoever may ask about others could
   * keep every right alive.
   */
  readonly points?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Rows of the window. */
export function countedRows(rows: readonly UseRow[], { today, days, points = NONE }: UseWindow): UseRow[] {
  return rows.filter(
    ({ column, askedBy, lastDay }) => (column !== "others" || points.has(askedBy)) && lastDay > today - days,
  );
}

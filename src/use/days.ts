/** Days of use: sums of several rows, and on how many of the last days something was used. Pure. */
import { DAYS_KEPT, type UseRow } from "../records/uses/row.ts";

/** How often something was used, and on which days; see `UseRow`. */
export type Use = Pick<UseRow, "total" | "firstDay" | "lastDay" | "days">;

/** Days of which answers tell on how many something was used. */
export const LAST_DAYS = 30;

const KEPT = (1n << BigInt(DAYS_KEPT)) - 1n;

/** @returns both uses as one; a day on which both were used is one day */
export function together(one: Use, other: Use): Use {
  const lastDay = Math.max(one.lastDay, other.lastDay);
  const shifted = ({ days, lastDay: last }: Use) =>
    lastDay - last >= DAYS_KEPT ? 0n : (days << BigInt(lastDay - last)) & KEPT;
  return {
    total: one.total + other.total,
    firstDay: Math.min(one.firstDay, other.firstDay),
    lastDay,
    days: shifted(one) | shifted(other),
  };
}

/**
 * @param today as days since 1970-01-01; a last day behind it, as after a clock was set back, counts as today
 * @returns on how many of the last days something was used
 */
export function daysUsed({ lastDay, days }: Pick<Use, "lastDay" | "days">, today: number, ofLast: number): number {
  const since = ofLast - Math.max(0, today - lastDay);
  if (since <= 0) return 0;
  let counted = 0;
  for (let left = days & ((1n << BigInt(Math.min(since, DAYS_KEPT))) - 1n); left > 0n; left &= left - 1n) counted++;
  return counted;
}

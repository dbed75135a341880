import type { Entry, History } from "./history.ts";

/** Operations that change something. */
const WRITES = new Set(["write", "cas", "create", "delete", "revoke"]);

/** What happened in a run, in a few lines. @param sent requests sent, recorded or not */
export function summarize({ entries, faults, quietFrom }: History, sent: number): string {
  const failOvers = faults.filter(({ what }) => what.includes("promoted")).length;
  const unwritten = longestWithoutWrite(entries, quietFrom);
  return [
    `${sent} requests in ${seconds(quietFrom)} s (${Math.round((sent * 1000) / quietFrom)} a second), ${entries.length} recorded`,
    ...countKinds(entries),
    `${failOvers} fail-overs; longest time without a write that was done: ${seconds(unwritten)} s`,
  ].join("\n");
}

function countKinds(entries: readonly Entry[]): string[] {
  const counts = new Map<string, { done: number; refused: number; unknown: number }>();
  for (const { operation, outcome } of entries) {
    const counted = counts.get(operation.kind) ?? { done: 0, refused: 0, unknown: 0 };
    counted[outcome] += 1;
    counts.set(operation.kind, counted);
  }
  return [...counts].map(
    ([kind, { done, refused, unknown }]) => `  ${kind}: ${done} done, ${refused} refused, ${unknown} unknown`,
  );
}

function longestWithoutWrite(entries: readonly Entry[], quietFrom: number): number {
  const done = entries
    .filter(({ operation, outcome }) => outcome === "done" && WRITES.has(operation.kind))
    .map(({ returned }) => returned ?? 0)
    .sort((one, other) => one - other);
  const times = [...done, quietFrom];
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? 0)), 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

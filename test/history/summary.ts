import { readEvidence, type Evidence } from "./check/evidence.ts";
import type { Entry, History } from "./history.ts";

/**
 * Summarizes a run in a few lines, with the evidence that `check/enough.ts` requires.
 *
 * @param sent requests sent, recorded or not
 * @param nodes how many servers there were
 */
export function summarize(history: History, sent: number, nodes: number): string {
  const { entries, quietFrom } = history;
  const shown = readEvidence(history, nodes);
  return [
    `${sent} requests in ${seconds(quietFrom)} s (${Math.round((sent * 1000) / quietFrom)} a second), ${entries.length} recorded`,
    ...countKinds(entries),
    ...describeEvidence(shown),
  ].join("\n");
}

function describeEvidence(evidence: Evidence): string[] {
  const { calm, overtaken, taken, ended, resumed, nodes, watchers, unwritten, faults } = evidence;
  const happened = [...faults].map(([place, count]) => `${place} ×${count}`).toSorted();
  return [
    `  refused: ${overtaken} cas for their version, ${taken} creates for their name`,
    `  ended: ${Object.entries(ended)
      .map(([of, count]) => `${of} ×${count}`)
      .join(", ")}; ${resumed} parts of streams went on with something`,
    ...nodes.map(
      ({ late, atOnce, writes, answers }, node) =>
        `  node ${node}: refused ${late} tokens that were revoked 1 s before, ${atOnce} times what was just taken away; ` +
        `${writes} writes in the second half, ${answers} answers in the last quarter`,
    ),
    `  answers to watchers after the last fault: ${watchers.join(", ")}`,
    `  faults: ${happened.length === 0 ? "none" : happened.join(", ")}; ${seconds(calm)} s without a fail-over`,
    `longest time without a write that was done: ${seconds(unwritten.whole)} s, ${seconds(unwritten.calm)} s outside of fail-overs`,
  ];
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

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

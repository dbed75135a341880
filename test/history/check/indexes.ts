/** Indexes only rise for who looks. */
import { allOf, describe, groupBy, limited, type Of } from "./entries.ts";

/**
 * `X-Consul-Index` never goes back in the lists and watches that one client is answered for one pool, whichever nodes
 * answer, and no watch is answered with an index below the one that it began with.
 */
export const indexes = limited((history) => {
  const answers = allOf(history, "list", "watch").filter((entry) => entry.outcome === "done");
  const seen = groupBy(answers, (entry) => `${entry.client} ${entry.operation.pool}`);
  return [...answers.flatMap(belowSince), ...[...seen.values()].flatMap(goingBack)];
});

function belowSince(entry: Of<"list" | "watch">): string[] {
  const { operation, index } = entry;
  if (operation.kind !== "watch" || index === undefined || index >= operation.since) return [];
  return [`${describe(entry)} is answered with an index below its own`];
}

/** One client asks one thing at a time, so the order of asking is that of the answers. */
function goingBack(answers: readonly Of<"list" | "watch">[]): string[] {
  const findings: string[] = [];
  let highest: { readonly entry: Of<"list" | "watch">; readonly index: number } | undefined;
  for (const entry of answers) {
    if (entry.index === undefined) continue;
    if (highest !== undefined && entry.index < highest.index)
      findings.push(`the index goes back from ${describe(highest.entry)} to ${describe(entry)}`);
    if (highest === undefined || entry.index > highest.index) highest = { entry, index: entry.index };
  }
  return findings;
}

/** Checks that each watcher ends with the final state. */
import type { Contents, History } from "../history.ts";
import { allOf, describe, groupBy, limited, some, type Of } from "./entries.ts";

/** Time in milliseconds after the last fault in which a watcher must show the final state. */
const PATIENCE = 5_000;

/**
 * The last answer of each watcher (a client and a pool that it watches) holds exactly what the pool holds in the end,
 * names and versions, with the index of the end; and it was shown that at the latest 5 s after the last fault was
 * mended. A watch that is not answered any more is fine: there was no news for it. The index of the end is the one that
 * the final state has (`indexes`), or else the highest that anybody was shown for the pool.
 */
export const watchers = limited((history) => {
  const watches = groupBy(allOf(history, "watch"), (entry) => `${entry.client} ${entry.operation.pool}`);
  return [...watches.values()].flatMap((ofWatcher) => wrongEnd(history, ofWatcher));
});

function wrongEnd(history: History, watches: readonly Of<"watch">[]): string[] {
  const [first] = watches;
  if (first === undefined) return [];
  const { pool } = first.operation;
  const wanted = finalContents(history, pool);
  const index = finalIndex(history, pool);
  const answers = watches.filter((entry) => entry.outcome === "done" && answerOf(entry) <= history.ended);
  const last = answers.at(-1);
  if (last === undefined) return [`the watcher of ${pool} that began with ${describe(first)} was never answered`];
  const difference = firstDifference(last.operation.found ?? {}, wanted);
  if (difference !== undefined)
    return [`the watcher's last answer ${describe(last)} is not what ${pool} holds in the end: ${difference}`];
  if (index !== undefined && last.index !== index)
    return [`the watcher's last answer ${describe(last)} has another index than ${pool} in the end, ${index}`];
  return late(history, answers, wanted);
}

/** Finds the answer since which the watcher showed nothing but the final state, when that came too late. */
function late(history: History, answers: readonly Of<"watch">[], wanted: Contents): string[] {
  const stale = answers.findLastIndex((entry) => firstDifference(entry.operation.found ?? {}, wanted) !== undefined);
  const settled = answers[stale + 1];
  if (settled === undefined || answerOf(settled) <= history.quietFrom + PATIENCE) return [];
  const after = Math.round(answerOf(settled) - history.quietFrom);
  return [`the watcher learns what is there in the end by ${describe(settled)}, ${after} ms after the last fault`];
}

function answerOf(entry: Of<"watch">): number {
  return entry.returned ?? Infinity;
}

/** All nodes show the same, or another check has said so. */
function finalContents(history: History, pool: string): Contents {
  const stored = history.final.nodes[0]?.pools[pool] ?? [];
  return Object.fromEntries(stored.map(({ name, version }) => [name, version]));
}

function finalIndex(history: History, pool: string): number | undefined {
  const said = history.final.nodes[0]?.indexes?.[pool];
  if (said !== undefined) return said;
  let highest: number | undefined;
  for (const entry of allOf(history, "list", "watch"))
    if (entry.operation.pool === pool && entry.index !== undefined && entry.index > (highest ?? 0))
      highest = entry.index;
  return highest;
}

/** Says in what two contents differ; undefined when they are the same. */
function firstDifference(found: Contents, wanted: Contents): string | undefined {
  const missing = Object.keys(wanted).filter((name) => !Object.hasOwn(found, name));
  if (missing.length > 0) return `${some(missing)} missing`;
  const gone = Object.keys(found).filter((name) => !Object.hasOwn(wanted, name));
  if (gone.length > 0) return `${some(gone)} shown but gone`;
  const other = Object.keys(wanted).find((name) => found[name] !== wanted[name]);
  return other === undefined ? undefined : `${other} with version ${found[other]} instead of ${wanted[other]}`;
}

/** Indexes never go back: after a restore all counters are above what any client may have seen. */
import { NAMESPACES, PARTITIONS, SCOPED_TOPICS } from "../rights/kinds.ts";
import { ANY_NAMESPACE } from "../storage/feed/touches.ts";
import type { Loading } from "../storage/operator/loading.ts";
import { AUDIT } from "../storage/writes/recorded.ts";

/** Tables with an index in each namespace. */
const TOPICS = [...SCOPED_TOPICS, AUDIT];

/** Upper bounds of the writes of a counter in a second, and on average over days: a backup may be days old. */
const WRITES_PER_SECOND = 10_000;
const WRITES_PER_SECOND_OVER_DAYS = 250;
/** Time for which the first bound applies, in seconds. */
const DAYS = 5 * 86_400;
/** Minimum gap, for clocks that disagree. */
const LEAST_GAP = 2 ** 24;
/** Maximum gap. Positions of changes are 65,536 times as large, see `changes/position.ts`. */
const LARGEST_GAP = 2 ** 35;

/**
 * Returns the number by which counters are raised: the writes that are possible since the backup was taken, also in a
 * database that was restored from it before. It grows with every second: of two restores of one backup the later one
 * has the higher indexes.
 */
export function gapSince(takenAt: string, now: Date): number {
  const seconds = Math.max(0, (now.getTime() - Date.parse(takenAt)) / 1000);
  const [first, others] = [Math.min(seconds, DAYS), Math.max(0, seconds - DAYS)];
  const written = first * WRITES_PER_SECOND + others * WRITES_PER_SECOND_OVER_DAYS;
  return Math.min(LARGEST_GAP, LEAST_GAP + Math.ceil(written));
}

/**
 * Raises all counters, and the index of each table in each namespace to its partition's: also where nothing had been written
 * when the backup was taken, since something may have been afterwards.
 */
export async function raiseIndexes(loading: Loading, gap: number): Promise<void> {
  await loading.run(`update counters set value = value + ${gap}`);
  await loading.run(`update table_indexes set value = value + ${gap}`);
  for (const topic of TOPICS) {
    await putIndexes(loading, `n.partition || '/' || n.name || '/${topic}'`, "namespaces n", "n.partition");
  }
  for (const topic of [...TOPICS, NAMESPACES, PARTITIONS]) {
    await putIndexes(loading, `p.name || '/${ANY_NAMESPACE}/${topic}'`, "partitions p", "p.name");
  }
  for (const topic of [NAMESPACES, PARTITIONS]) {
    await putIndexes(loading, `p.name || '/default/${topic}'`, "partitions p", "p.name");
  }
}

async function putIndexes(loading: Loading, name: string, from: string, partition: string): Promise<void> {
  await loading.run(
    `insert into table_indexes (name, value) select ${name}, c.value from ${from} join counters c
       on c.name = 'partition/' || ${partition} where true on conflict (name) do update set value = excluded.value`,
  );
}

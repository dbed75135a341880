/**
 * Which writes this node knows of, by partition. Each write raises its partition's counter by one, so a counter that
 * stands higher than the writes known one by one tells of some that were missed.
 */
export interface KnownWrites {
  /** Notes one write. @returns false when it was known already */
  note(partition: string, index: number): boolean;
  /** The value up to which every write of a partition is known. */
  upTo(partition: string): number | undefined;
  /** The same of all, by partition. To be taken before a poll is sent. */
  values(): Map<string, number>;
  /**
   * The partitions in which something happened that is not known.
   *
   * @param polled counter values as read
   * @param before what `values` gave before they were read
   */
  findUnexplained(polled: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): string[];
  /**
   * Takes all writes up to a counter's value for known; a partition without counter is forgotten.
   *
   * @returns whether the counter has fallen or is gone, so that its numbers may be given again
   */
  settle(partition: string, value: number | undefined): boolean;
}

interface Partition {
  /** Every write up to this one is known. */
  value: number;
  /** Known writes beyond the first that is not. */
  ahead: Set<number>;
}

/** Writes kept beyond a missing one. A poll ends the wait for that long before, unless polls fail. */
const AHEAD_LIMIT = 10_000;

export function createKnownWrites(): KnownWrites {
  const partitions = new Map<string, Partition>();

  function advance(partition: Partition): void {
    while (partition.ahead.delete(partition.value + 1)) partition.value += 1;
  }

  function isUnexplained(name: string, value: number, before: number | undefined): boolean {
    const known = partitions.get(name)?.value;
    if (known === undefined || value > known) return true;
    // Values that were known before the poll was sent must be in its answer. A smaller value means that the counter was
    // made again, or that an old database was put in place.
    return before !== undefined && value < before;
  }

  return {
    note(name, index) {
      const partition = partitions.get(name);
      // Its counter has not been read yet; the poll that reads it tells that anything may have changed.
      if (partition === undefined) return true;
      if (index <= partition.value || partition.ahead.has(index)) return false;
      if (partition.ahead.size >= AHEAD_LIMIT) partition.ahead.clear();
      partition.ahead.add(index);
      advance(partition);
      return true;
    },
    upTo: (name) => partitions.get(name)?.value,
    values: () => new Map([...partitions].map(([name, { value }]) => [name, value])),
    findUnexplained(polled, before) {
      const odd = [...polled].filter(([name, value]) => isUnexplained(name, value, before.get(name)));
      const gone = [...before.keys()].filter((name) => !polled.has(name));
      return [...odd.map(([name]) => name), ...gone];
    },
    settle(name, value) {
      if (value === undefined) return partitions.delete(name);
      const old = partitions.get(name);
      // Numbers of before the counter fell mean nothing any more.
      const hasFallen = old !== undefined && value < old.value;
      const ahead = old === undefined || hasFallen ? [] : old.ahead;
      const partition = { value, ahead: new Set([...ahead].filter((index) => index > value)) };
      advance(partition);
      partitions.set(name, partition);
      return hasFallen;
    },
  };
}

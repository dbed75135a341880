/** Waiting entries, in turn by owner: an owner with many entries waits behind itself, and delays no other owner. */
export interface InTurn<T> {
  add(owner: string, waiting: T): void;
  /**
   * Removes and returns the next entry: the oldest one of the owner whose turn it is. Undefined when there is none.
   *
   * @param fits whether it may continue now; an owner whose first entry may not keeps its turn
   */
  take(fits?: (waiting: T) => boolean): T | undefined;
  /** Removes an entry that no longer waits. */
  remove(owner: string, waiting: T): void;
  /** Number of entries: of all owners, or of one. */
  size(owner?: string): number;
}

export function createInTurn<T>(): InTurn<T> {
  /** Entries in the order of the owners' turns; owners without entries are absent. */
  const owners = new Map<string, T[]>();
  let size = 0;
  return {
    add(owner, waiting) {
      size += 1;
      const others = owners.get(owner);
      if (others === undefined) owners.set(owner, [waiting]);
      else others.push(waiting);
    },
    take(fits) {
      for (const [owner, all] of owners) {
        const [first] = all;
        if (first === undefined || fits?.(first) === false) continue;
        all.shift();
        owners.delete(owner);
        if (all.length > 0) owners.set(owner, all);
        size -= 1;
        return first;
      }
      return undefined;
    },
    remove(owner, waiting) {
      const all = owners.get(owner) ?? [];
      const place = all.indexOf(waiting);
      if (place === -1) return;
      all.splice(place, 1);
      if (all.length === 0) owners.delete(owner);
      size -= 1;
    },
    size: (owner) => (owner === undefined ? size : (owners.get(owner)?.length ?? 0)),
  };
}

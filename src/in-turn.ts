/** What waits, in turn by owner: whoever has much waiting waits behind itself, and holds nobody else up. */
export interface InTurn<T> {
  add(owner: string, waiting: T): void;
  /**
   * The next one: of the owner whose turn it is, what has waited longest. Undefined when there is none.
   *
   * @param fits whether it may go on now; an owner whose first may not keeps its turn
   */
  take(fits?: (waiting: T) => boolean): T | undefined;
  /** Takes out what waits no longer. */
  remove(owner: string, waiting: T): void;
  /** How much waits: of all, or of one owner. */
  size(owner?: string): number;
}

export function createInTurn<T>(): InTurn<T> {
  /** In the order of their turns; an owner of whom nothing waits is not there. */
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

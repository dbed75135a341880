/** What waits, in turn by owner: whoever has much waiting waits behind itself, and holds nobody else up. */
export interface InTurn<T> {
  add(owner: string, waiting: T): void;
  /** The next one: of the owner whose turn it is, what has waited longest. Undefined when nothing waits. */
  take(): T | undefined;
  size(): number;
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
    take() {
      for (const [owner, all] of owners) {
        owners.delete(owner);
        const first = all.shift();
        if (all.length > 0) owners.set(owner, all);
        size -= 1;
        return first;
      }
      return undefined;
    },
    size: () => size,
  };
}

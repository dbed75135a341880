/** Lets those who want the same go one after the other, in the order in which they came. */
export interface Turns {
  /** Waits for one's turn. @returns ends it */
  take(key: string): Promise<() => void>;
}

export function createTurns(): Turns {
  /** By key, the end of the turn that was taken last. */
  const ends = new Map<string, Promise<void>>();
  return {
    async take(key) {
      const before = ends.get(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(key, promise);
      await before;
      return () => {
        if (ends.get(key) === promise) ends.delete(key);
        resolve();
      };
    },
  };
}

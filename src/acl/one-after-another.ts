/** Lets those who want the same go one after the other, in the order in which they came. */
export interface Queues {
  /** Waits for those before. @returns lets the next one go */
  take(key: string): Promise<() => void>;
}

export function createQueues(): Queues {
  /** By key, the end of the one that came last. */
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
